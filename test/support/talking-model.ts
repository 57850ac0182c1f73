import type { ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { chunkOf, usageChunk } from "../adapters/model/openai-server.js"

/** A server of the chat completions API. The test decides when its model returns text. */
export interface TalkingModel {
  readonly baseUrl: string
  /** Resolves when this number of calls has arrived. */
  called(times: number): Promise<void>
  /** Sends the next part of the response to the latest call. */
  say(text: string): void
  finish(): void
  /** Closes the connection before the response is complete. */
  cut(): void
  close(): void
}

export async function talkingModel(): Promise<TalkingModel> {
  const calls: ServerResponse[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
      calls.push(response)
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const send = (data: unknown): void =>
    void calls.at(-1)?.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    called: (times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (calls.length < times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    say: (content) => send(chunkOf({ content })),
    finish() {
      send(chunkOf({}, "stop"))
      send(usageChunk)
      send("[DONE]")
      calls.at(-1)?.end()
    },
    cut: () => calls.at(-1)?.destroy(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
