import { createHmac } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/** A request that a receiver has received. */
export interface ReceivedMessage {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  /** The exact body. */
  readonly text: string
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

/** The response to a message. */
export interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface WebhookReceiver {
  readonly url: string
  readonly messages: readonly ReceivedMessage[]
  close(): Promise<void>
}

/** Starts an HTTP server that receives webhooks. `answer` may delay or prevent the response. */
export async function startReceiver(
  answer: (
    message: ReceivedMessage,
    count: number,
  ) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 204 }),
  port = 0,
): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = []
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8")
    request.on("error", () => {})
    request.on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      const message: ReceivedMessage = {
        id: String(request.headers["webhook-id"]),
        headers: request.headers,
        text,
        body: JSON.parse(text) as ReceivedMessage["body"],
      }
      messages.push(message)
      void Promise.resolve(answer(message, messages.length)).then(({ status, headers }) =>
        response.writeHead(status, headers).end(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}/events`,
    messages,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Signs a body as other programs do, independently of the implementation. */
export const sign = (
  secret: string,
  body: string,
  {
    id = "msg_1",
    timestamp = Math.floor(Date.now() / 1000),
  }: { readonly id?: string; readonly timestamp?: number } = {},
): Readonly<Record<string, string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": `v1,${createHmac(
    "sha256",
    Buffer.from(secret.replace("whsec_", ""), "base64"),
  )
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64")}`,
})

/** Returns whether the signature of a message is valid. */
export const isSignedWith = (secret: string, { headers, text, id }: ReceivedMessage): boolean =>
  sign(secret, text, { id, timestamp: Number(headers["webhook-timestamp"]) })[
    "webhook-signature"
  ] === headers["webhook-signature"]
