import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"

/** A secret that is valid in a header, with characters that each encoding writes differently. */
export const canary = 'canary-7f3a/"+&=?%-quill'

const bytes = Buffer.from(canary)

/** The forms in which the canary could be written, including its middle part in longer base64 texts. */
const forms: Readonly<Record<string, string>> = {
  plain: canary,
  "plain, the part before the quote": "canary-7f3a",
  base64: bytes.toString("base64").replace(/=+$/, ""),
  "base64 for URLs": bytes.toString("base64url"),
  "base64 of something longer, shifted by one": Buffer.concat([Buffer.alloc(1), bytes])
    .toString("base64")
    .slice(2, -4),
  "base64 of something longer, shifted by two": Buffer.concat([Buffer.alloc(2), bytes])
    .toString("base64")
    .slice(3, -4),
  hex: bytes.toString("hex"),
  "URL-encoded": encodeURIComponent(canary),
  "URL-encoded in lower case": encodeURIComponent(canary).replace(/%../g, (code) =>
    code.toLowerCase(),
  ),
  "form-encoded": new URLSearchParams({ k: canary }).toString().slice(2),
  "JSON-escaped": JSON.stringify(canary).slice(1, -1),
  "JSON-escaped twice": JSON.stringify(JSON.stringify(canary)).slice(3, -3),
}

export function expectNoCanary(what: string, text: string): void {
  for (const [name, form] of Object.entries(forms)) {
    const at = text.indexOf(form)
    expect(
      at < 0
        ? null
        : `${what} has the canary, ${name}: ...${text.slice(Math.max(0, at - 200), at + form.length)}...`,
    ).toBeNull()
  }
}

/** The ways in which the service returns the request. The last way is not a failure. */
export const failings = [
  "status-500",
  "status-400-text",
  "encoded",
  "malformed",
  "wrong-shape",
  "silent",
  "too-large",
  "redirect",
  "reset",
  "cut-short",
  "answer",
] as const

/** Starts a local service whose responses contain the headers and the URL of the request. */
export async function echoingService(): Promise<{
  readonly url: string
  /** The paths of the requests that contained the secret, in order. */
  readonly heard: string[]
  close(): Promise<void>
}> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    if (JSON.stringify([request.headers, request.url]).includes("canary-7f3a"))
      heard.push((request.url ?? "").split("?")[0] ?? "")
    request.resume()
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { headers, url = "" } = request
  const all = JSON.stringify({
    headers,
    url,
    decoded: decodeURIComponent(url.replace(/%(?![0-9A-F]{2})/gi, "%25")),
  })
  const json = (status: number, body: unknown): void =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body))
  const failing = failings.find((name) => url.includes(`/${name}`)) ?? "status-500"
  switch (failing) {
    case "status-500":
      return json(500, { error: { headers, url, text: all } })
    case "status-400-text":
      return void response
        .writeHead(400, { "content-type": "text/plain" })
        .end(`You sent ${Object.values(headers).join(" ")} to ${url}`)
    case "encoded": {
      const sent = Object.values(headers).flatMap((value) =>
        typeof value === "string" ? [value] : [],
      )
      return json(
        503,
        sent.map((value) => [
          Buffer.from(value).toString("base64"),
          Buffer.from(`x${value}`).toString("base64url"),
          Buffer.from(value).toString("hex"),
          encodeURIComponent(value),
          JSON.stringify(JSON.stringify(value)),
        ]),
      )
    }
    case "malformed":
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"headers": ${all}, `)
    case "wrong-shape":
      return json(200, { content: { headers }, toolCalls: all, choices: [{ message: all }] })
    case "silent":
      return
    case "too-large":
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ content: all.repeat(2_000) }))
    case "redirect":
      return void response
        .writeHead(302, { location: `http://127.0.0.1:1/${encodeURIComponent(all)}` })
        .end(all)
    case "reset":
      return void request.socket.destroy()
    case "cut-short":
      response
        .writeHead(200, { "content-type": "application/json", "content-length": "100000" })
        .write(all)
      return void setImmediate(() => request.socket.destroy())
    case "answer":
      return json(200, {
        content: `I was sent ${all}`,
        usage: { inputTokens: 1, outputTokens: 1 },
        choices: [{ message: { role: "assistant", content: `I was sent ${all}` } }],
        [canaryIn(headers)]: headers,
      })
  }
}

const canaryIn = (headers: IncomingMessage["headers"]): string =>
  String(headers["x-api-key"] ?? headers.authorization ?? "nothing")
