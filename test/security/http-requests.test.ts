import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { WebSocket } from "ws"
import { startInspectRelay } from "../../src/adapters/inspect/relay/index.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { startScriptedService } from "../../src/adapters/scripted/index.js"
import { startServer } from "../../src/server/start-server.js"
import { startStudio } from "../../src/studio/server/start-studio.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const parts = () => ({
  path: temporaryFolder("http-requests-"),
  journal: jsonlJournal(temporaryFolder("http-requests-runs-")),
  openServices: () => Promise.reject(new Error("no run is started")),
})

async function studioHere(more: { readonly requestTimeoutMs?: number } = {}) {
  const given = parts()
  writeFileSync(join(given.path, "a.json"), "{}")
  const checker = { selected: [], decide: async () => ({ results: [], warnings: [] }) }
  const studio = await startStudio({ ...given, checker, token: "right", ...more })
  onTestFinished(() => studio.close())
  return studio
}

interface Asked {
  readonly port: number
  readonly path: string
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns the status of a request. Its headers may include `Host`. */
const statusOf = ({ port, path, method = "GET", headers, body }: Asked): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ hostname: "127.0.0.1", port, path, method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on("error", reject)
    sent.end(body)
  })

describe("the studio", () => {
  const saved = { method: "PUT", body: JSON.stringify({ file: "a.json", text: "{ }" }) }
  const json = { "content-type": "application/json" }

  test("the studio accepts requests from its own origin and from no other origin", async () => {
    const { port } = await studioHere()
    const headers = { ...json, authorization: "Bearer right" }
    const from = (origin: string): Promise<number> =>
      statusOf({ port, path: "/api/file", ...saved, headers: { ...headers, origin } })
    expect(await from(`http://127.0.0.1:${port}`)).toBe(200)
    expect(await from(`http://127.0.0.1:${port === 3000 ? 3001 : 3000}`)).toBe(403)
    expect(await from("http://127.0.0.1")).toBe(403)
    expect(await from(`http://localhost:${port}`)).toBe(403)
    expect(await from("null")).toBe(403)
  })

  test("the studio accepts no token in the query string", async () => {
    const { port } = await studioHere()
    const ask = (path: string, how: object = {}): Promise<number> =>
      statusOf({ port, path: `${path}?token=right`, headers: json, ...how })
    expect(await ask("/api/file", saved)).toBe(401)
    expect(await ask("/api/runs", { method: "POST", body: "{}" })).toBe(401)
    expect(await ask("/api/runs/r/messages", { method: "POST", body: "{}" })).toBe(401)
    expect(await ask("/api/runs/r/events", { method: "POST", body: "{}" })).toBe(401)
    expect(await ask("/api/files")).toBe(401)
    expect(await ask("/api/runs/r/events")).toBe(401)
    // There is no such run.
    const authorized = { headers: { ...json, authorization: "Bearer right" } }
    expect(await ask("/api/runs/r/events", authorized)).toBe(404)
  })
})

describe("the relay for inspectors", () => {
  const opened = async (
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean> => {
    const socket = new WebSocket(url, { headers })
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true))
      socket.once("error", () => resolve(false))
    })
    socket.terminate()
    return isOpen
  }

  test("the relay accepts its page, its viewer, programs and allowed origins, and no other origin", async () => {
    const relay = await startInspectRelay({ origins: ["http://localhost:5173"] })
    onTestFinished(() => relay.close())
    const { host, port, pathname } = new URL(relay.page)
    for (const { url } of [relay.stately, relay.xstateInspect]) {
      expect(await opened(url, {})).toBe(true)
      expect(await opened(url, { origin: `http://${host}` })).toBe(true)
      expect(await opened(url, { origin: "https://stately.ai" })).toBe(true)
      expect(await opened(url, { origin: "http://localhost:5173" })).toBe(true)
      expect(await opened(url, { origin: "https://evil.example" })).toBe(false)
      expect(await opened(url, { origin: "http://127.0.0.1:1" })).toBe(false)
      expect(await opened(url, { origin: "null" })).toBe(false)
      expect(await opened(url, { host: `evil.example:${port}` })).toBe(false)
    }
    const page = (headers: Readonly<Record<string, string>>): Promise<number> =>
      statusOf({ port: Number(port), path: pathname, headers })
    expect(await page({})).toBe(200)
    expect(await page({ host: `localhost:${port}` })).toBe(200)
    expect(await page({ host: `evil.example:${port}` })).toBe(403)
    expect(await page({ origin: "https://evil.example" })).toBe(403)
  })
})

describe("a request body that arrives too slowly", () => {
  /** Sends a large body one byte at a time, and returns the first line of the response. */
  async function drip(port: number, path: string): Promise<string> {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => (answer += chunk))
    socket.on("error", () => undefined)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer right\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    )
    const drops = setInterval(() => socket.write(" "), 20)
    await once(socket, "close")
    clearInterval(drops)
    return answer.split("\r\n")[0] ?? ""
  }
  const requestTimeoutMs = 240

  test("the studio closes the connection if a request body arrives too slowly", async () => {
    const { port } = await studioHere({ requestTimeoutMs })
    expect(await drip(port, "/api/check")).toMatch(/^(?:HTTP\/1.1 4\d\d .*)?$/)
  })

  test("the server closes the connection if a request body arrives too slowly", async () => {
    const server = await startServer({ ...parts(), token: "right", requestTimeoutMs })
    onTestFinished(() => server.close())
    expect(await drip(server.port, "/v1/runs")).toMatch(/^(?:HTTP\/1.1 4\d\d .*)?$/)
  })

  test("the scripted service closes the connection if a request body arrives too slowly", async () => {
    const service = await startScriptedService(
      { llm: { a: [{ content: "x" }] } },
      { requestTimeoutMs },
    )
    onTestFinished(() => service.close())
    expect(await drip(service.port, "/a")).toMatch(/^(?:HTTP\/1.1 4\d\d .*)?$/)
  })
})

describe("malformed MCP requests", () => {
  test.each([
    ["no params", undefined],
    ["a number as protocol version", { protocolVersion: 1, capabilities: {}, clientInfo: {} }],
    ["no client info", { protocolVersion: "2025-06-18", capabilities: {} }],
    ["a list as params", []],
  ])("an initialize request with %s is rejected", async (_, params) => {
    const server = await startServer({ ...parts(), token: null, mcp: true })
    onTestFinished(() => server.close())
    const response = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    })
    const text = await response.text()
    const code = /"code":(-\d+)/.exec(text)?.[1]
    expect(code === "-32602" || code === "-32600" ? "refused" : text).toBe("refused")
  })
})
