import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { chunkOf, usageChunk } from "../adapters/model/openai-server.js"

interface ChatMessage {
  readonly role: string
  readonly content: string
}

/** A server of the chat completions API whose answers depend on the messages. */
export interface PromptedModel {
  readonly baseUrl: string
  /** Number of calls so far. */
  readonly calls: number
  close(): void
}

export async function promptedModel(
  answer: (messages: readonly ChatMessage[]) => string,
): Promise<PromptedModel> {
  let calls = 0
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk.toString()))
    request.on("end", () => {
      calls++
      const { messages } = JSON.parse(text) as { readonly messages: readonly ChatMessage[] }
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const chunk of [chunkOf({ content: answer(messages) }), chunkOf({}, "stop"), usageChunk])
        response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      response.end("data: [DONE]\n\n")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get calls() {
      return calls
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
