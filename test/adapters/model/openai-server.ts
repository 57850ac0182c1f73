import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export interface Asked {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged. */
  readonly body: unknown
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number
  /** Sends the body in chunks of this number of bytes. */
  readonly chunk?: number
}

/** Starts a local server that implements the chat completions API and sends the replies of a script. */
export async function chatServer(
  script: readonly Reply[],
): Promise<{ readonly baseUrl: string; readonly asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk.toString()))
    request.on("end", () => {
      const reply = script[asked.length]
      asked.push({ headers: request.headers, body: JSON.parse(text) as Asked["body"] })
      if (
        reply === undefined ||
        request.method !== "POST" ||
        request.url !== "/v1/chat/completions"
      ) {
        response.writeHead(404).end("no such call")
        return
      }
      const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body)
      response.writeHead(reply.status ?? 200, {
        "content-type": "application/json",
        ...reply.headers,
      })
      if (reply.chunk !== undefined)
        void sendChunks(response, Buffer.from(body).subarray(0, reply.cutAfter), reply)
      else if (reply.cutAfter === undefined) response.end(body)
      else response.write(body.slice(0, reply.cutAfter), () => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

/** Sends each chunk before the next chunk is written. */
async function sendChunks(
  response: ServerResponse,
  bytes: Buffer,
  { chunk = 1, cutAfter }: Reply,
): Promise<void> {
  for (let from = 0; from < bytes.length; from += chunk) {
    await new Promise<void>((resolve) =>
      response.write(bytes.subarray(from, from + chunk), () => setImmediate(resolve)),
    )
  }
  if (cutAfter === undefined) response.end()
  else response.destroy()
}

/** Returns a streamed response: one event for each chunk of a completion, then `[DONE]`. */
export const streamOf = (
  chunks: readonly unknown[],
  more: Omit<Reply, "body"> & { readonly end?: string; readonly newline?: string } = {},
): Reply => {
  const { end = "[DONE]", newline = "\n", ...reply } = more
  const events = [...chunks.map((chunk) => JSON.stringify(chunk)), ...(end === "" ? [] : [end])]
  return {
    body: events.map((data) => `data: ${data}${newline}${newline}`).join(""),
    ...reply,
    headers: { "content-type": "text/event-stream; charset=utf-8", ...reply.headers },
  }
}

export const chunkOf = (delta: object, finish: string | null = null): object => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 0,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
})

export const usageChunk = {
  id: "c1",
  object: "chat.completion.chunk",
  created: 0,
  model: "m",
  choices: [],
  usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
}

/** Returns a complete streamed response with these words. */
export const spoken = (
  words: readonly string[],
  more: Parameters<typeof streamOf>[1] = {},
): Reply =>
  streamOf(
    [
      chunkOf({ role: "assistant", content: "" }),
      ...words.map((content) => chunkOf({ content })),
      chunkOf({}, "stop"),
      usageChunk,
    ],
    more,
  )

export const completion = (message: object, more: object = {}): Reply => ({
  body: {
    id: "c1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, ...message },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    ...more,
  },
})

export const calls = (name: string, args: unknown, id = "call_1"): Reply =>
  completion({
    tool_calls: [
      {
        id,
        type: "function",
        function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
      },
    ],
  })
