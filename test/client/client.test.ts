import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import type { Client, RemoteRun } from "../../src/client/index.js"
import { createClient } from "../../src/client/index.js"
import { routes } from "../../src/client/routes.js"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { TestServer } from "../server/test-server.js"
import { startServerProcess, startTestServer } from "../server/test-server.js"

const examples = join(projectFolder, "examples")

/** Waits until a run is waiting, and returns the id of its first pending request. */
const firstRequest = async (run: RemoteRun): Promise<string> => {
  const { status, pending } = await run.whenSettled()
  expect(status).toBe("waiting")
  return pending[0]?.id ?? ""
}

describe.skipIf(!isBuilt)("the client of a server", () => {
  let place: string
  let server: TestServer
  let client: Client

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "client-"))
    server = await startTestServer(examples, join(place, "runs"), [
      "--scripted",
      "--token",
      "test-token",
    ])
    client = createClient({ url: server.origin, token: server.token })
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })

  test("the client uses every route of the OpenAPI document with its method and path", async () => {
    const { body } = await server.ask("/openapi.json")
    const paths = body["paths"] as Readonly<
      Record<string, Readonly<Record<string, { readonly operationId: string }>>>
    >
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        operationId,
        { method: method.toUpperCase(), path },
      ]),
    )
    // Other programs call `receiveWebhook`, not the client.
    const {
      health: _health,
      ready: _ready,
      receiveWebhook: _receiveWebhook,
      ...used
    } = Object.fromEntries(documented)
    expect(routes).toEqual(used)
  })

  test("the client lists the workflows and the runs of the server", async () => {
    const workflows = await client.workflows()
    expect(workflows).toContainEqual({
      id: "human-approval",
      file: expect.stringContaining("workflow.json"),
      chart: expect.any(String),
      dialect: "graph-compose",
      prompt: "Pay what we owe Nordlicht GmbH.",
    })
    const run = await client.start({ workflow: "travel-planner" })
    await run.whenSettled()
    const [newest] = await client.runs({ limit: 1, status: "completed" })
    expect(newest).toMatchObject({ runId: run.id, status: "completed" })
  })

  test("the client starts a run, answers its requests and returns its result", async () => {
    const run = await client.start({ workflow: "human-approval", runId: "client-approval" })
    expect(run.id).toBe("client-approval")
    const request = await firstRequest(run)
    expect(await run.status()).toMatchObject({ status: "waiting", pending: [{ id: request }] })
    expect(await run.approve(request)).toMatchObject({ runId: run.id })
    const result = await run.whenSettled()
    expect(result.state).toEqual((await client.run(run.id).result()).state)
    expect(result.pending.map(({ id }) => id)).not.toContain(request)
  })

  test("a stream yields every event of a run exactly once and ends with the run", async () => {
    const run = await client.start({ workflow: "travel-planner" })
    const all: number[] = []
    for await (const { seq } of run.events()) all.push(seq)
    expect(all).toEqual(all.map((_, index) => index))
    const after: number[] = []
    for await (const { seq } of run.events({ after: 4 })) after.push(seq)
    expect(after).toEqual(all.slice(5))
  })

  test("the client returns the drawing of a run as SVG", async () => {
    const run = await client.start({ workflow: "travel-planner" })
    expect(await run.drawing()).toMatch(/^<svg .*role="img">\n<title>Statechart of /)
    await expect(client.run("unknown").drawing()).rejects.toMatchObject({ code: "run_unknown" })
  })

  test("a stream ends when its signal is aborted", async () => {
    const run = await client.start({ workflow: "human-approval" })
    const closed = new AbortController()
    const types: string[] = []
    for await (const part of run.stream({ signal: closed.signal })) {
      types.push(part.type)
      if (part.type === "event" && part.event.type === "human.asked") closed.abort()
    }
    expect(types[0]).toBe("connection")
    await run.cancel()
  })

  test("a failed call rejects with the code and status of the server's error", async () => {
    await expect(client.run("unknown").status()).rejects.toMatchObject({
      name: "ClientError",
      code: "run_unknown",
      status: 404,
    })
    const run = await client.start({ workflow: "human-approval" })
    const request = await firstRequest(run)
    await run.reject(request, "too expensive")
    await expect(run.approve(request)).rejects.toMatchObject({
      code: "request_unknown",
      status: 409,
    })
    const stranger = createClient({ url: server.origin, token: "wrong" })
    await expect(stranger.workflows()).rejects.toMatchObject({ code: "unauthorized", status: 401 })
    const events = client.run("unknown").events()
    await expect(events.next()).rejects.toMatchObject({ code: "run_unknown" })
  })
})

describe.skipIf(!isBuilt)("a stream of events", () => {
  test("a stream continues without gaps or repetitions after the server was killed and restarted", async () => {
    const place = mkdtempSync(join(tmpdir(), "client-"))
    onTestFinished(() => rmSync(place, { recursive: true }))
    const journal = join(place, "runs")
    const options = ["--scripted", "--token", "test-token"]
    const first = await startServerProcess(examples, journal, options)
    const { port } = new URL(first.origin)
    const client = createClient({ url: first.origin, token: first.token })
    const run = await client.start({ workflow: "human-approval" })

    let second: TestServer | null = null
    onTestFinished(async () => void (await second?.stop()))
    const numbers: number[] = []
    const connections: boolean[] = []
    const restart = async (): Promise<void> => {
      await first.stop("SIGKILL")
      second = await startTestServer(examples, journal, [...options, "--port", port])
      await run.resume()
      await run.cancel()
    }
    let restarted: Promise<void> | null = null
    for await (const part of run.stream()) {
      if (part.type === "connection") connections.push(part.isConnected)
      if (part.type !== "event") continue
      numbers.push(part.event.seq)
      if (part.event.type === "human.asked") restarted ??= restart()
    }
    await restarted
    expect(numbers).toEqual(numbers.map((_, index) => index))
    expect(connections.slice(0, 3)).toEqual([true, false, true])
    expect(await run.result()).toMatchObject({ status: "cancelled" })
  })
})

describe("a client", () => {
  test("the client rejects an address that is not an HTTP URL", () => {
    expect(() => createClient({ url: "localhost:4000" })).toThrow(
      'url must be an address such as "http://127.0.0.1:4000", but is "localhost:4000"',
    )
  })

  test("an unreachable server is reported", async () => {
    const client = createClient({ url: "http://127.0.0.1:1" })
    await expect(client.workflows()).rejects.toMatchObject({
      code: "server_unreachable",
      status: null,
    })
  })

  test("a response that does not come from an agent-statecharts server is reported", async () => {
    const other = createServer((_request, response) => response.end("<html>"))
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void other.close())
    const client = createClient({
      url: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`,
    })
    await expect(client.workflows()).rejects.toMatchObject({
      code: "invalid_response",
      status: 200,
    })
  })

  test("a stream is retried while the server is unavailable, and ends at a permanent error", async () => {
    const statuses = [503, 502, 501]
    const other = createServer((_request, response) => {
      response.writeHead(statuses.shift() ?? 404, { "content-type": "application/json" })
      response.end('{"code":"a2a_package_missing","message":"not installed"}')
    })
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const events = createClient({ url: `http://127.0.0.1:${port}/` })
      .run("r")
      .events()
    await expect(events.next()).rejects.toMatchObject({ code: "a2a_package_missing", status: 501 })
    expect(statuses).toEqual([])
  })
})
