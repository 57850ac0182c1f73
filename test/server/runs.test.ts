import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { differences } from "./open-api-check.js"
import type { Answer, TestServer } from "./test-server.js"
import { startServerProcess, startTestServer } from "./test-server.js"

const examples = join(projectFolder, "examples")

describe.skipIf(!isBuilt)("agent-statecharts serve", () => {
  let place: string
  let server: TestServer

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "serve-"))
    for (const name of ["human-approval", "content-loop", "support-agent"])
      cpSync(join(examples, name), join(place, "work", name), { recursive: true })
    server = await startServerProcess(join(place, "work"), join(place, "runs"), [
      "--scripted",
      "--token",
      "test-token",
      "--allow-origin",
      "https://app.example.com",
      "--max-body",
      "20000",
    ])
    const document = (await server.ask("/openapi.json")).body
    const { ask } = server
    // Every response of these tests must match the OpenAPI document.
    server = {
      ...server,
      async ask(path, request = {}) {
        const answer = await ask(path, request)
        if (path !== "/openapi.json" && answer.body["code"] !== "unknown_route")
          expect(differences(document, request.method ?? "GET", path, answer)).toEqual([])
        return answer
      },
    }
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })

  const started = async (workflow: string, more: object = {}): Promise<string> => {
    const { status, body } = await server.ask("/v1/runs", {
      method: "POST",
      body: { workflow, ...more },
    })
    expect(status).toBe(201)
    return String(body["runId"])
  }

  const give = (runId: string, type: string, body: object = {}): Promise<Answer> =>
    server.ask(`/v1/runs/${runId}/${type}`, { method: "POST", body })

  interface Asked {
    readonly id: string
    readonly prompt: string
  }

  const rested = async (
    runId: string,
  ): Promise<Answer["body"] & { readonly pending: readonly Asked[] }> =>
    (await server.ask(`/v1/runs/${runId}/result?wait=30`)).body as Answer["body"] & {
      readonly pending: readonly Asked[]
    }

  test("the server lists its workflows", async () => {
    const { body } = await server.ask("/v1/workflows")
    expect(body).toMatchObject([
      { id: "content-loop" },
      { id: "human-approval", prompt: "Pay what we owe Nordlicht GmbH." },
      { id: "support-agent" },
    ])
  })

  test("a client starts a run, approves and rejects its requests, and reads its result", async () => {
    const runId = await started("human-approval")
    const first = await rested(runId)
    expect(first).toMatchObject({
      status: "waiting",
      pending: [{ kind: "approval", prompt: expect.stringContaining("1,940") }],
    })
    expect(
      (
        await give(runId, "approve", {
          id: first.pending[0]?.id,
          args: { invoice: "INV-2291", amount: 1840, iban: "DE02" },
        })
      ).status,
    ).toBe(200)
    const second = await rested(runId)
    await give(runId, "reject", { id: second.pending[0]?.id, reason: "call them first" })
    expect(await rested(runId)).toMatchObject({
      status: "completed",
      text: expect.stringContaining("Not paid"),
      pending: [],
    })
    expect((await server.ask(`/v1/runs/${runId}`)).body).toMatchObject({
      runId,
      file: "human-approval/workflow.json",
      status: "completed",
      isHere: false,
    })
    expect(await give(runId, "cancel")).toMatchObject({
      status: 409,
      body: { code: "run_finished" },
    })
  })

  test("an answer without a pending request is rejected immediately, while the run is active", async () => {
    const runId = await started("human-approval")
    expect(await give(runId, "say", { content: "hello" })).toMatchObject({
      status: 409,
      body: { code: "request_unknown" },
    })
    expect(await give(runId, "approve", { id: "other" })).toMatchObject({
      status: 409,
      body: { code: "request_unknown" },
    })
    expect((await server.ask(`/v1/runs/${runId}`)).body).toMatchObject({ status: "running" })
    expect((await give(runId, "cancel")).body).toMatchObject({ status: "cancelled" })
  })

  test("the stream sends every event once and in order, and resumes after the last received event", async () => {
    const runId = await started("content-loop")
    const all = await server.events(runId, ({ type }) => type === "run.finished")
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index))
    const later = await server.events(runId, ({ type }) => type === "run.finished", 4)
    expect(later).toEqual(all.slice(5))
  })

  test("a run can be ended and cancelled", async () => {
    const [ended, cancelled] = [await started("human-approval"), await started("human-approval")]
    await rested(ended)
    await give(ended, "end")
    await give(cancelled, "cancel")
    expect(await rested(ended)).toMatchObject({ status: "completed" })
    expect(await rested(cancelled)).toMatchObject({ status: "cancelled" })
  })

  test("several requests with the same run id start only one run", async () => {
    const runId = `order-${Date.now()}`
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        server.ask("/v1/runs", { method: "POST", body: { workflow: "human-approval", runId } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { body } = await server.ask("/v1/runs?status=waiting&limit=500")
    await rested(runId)
    expect(body).toMatchObject({ runs: expect.any(Array) })
    const listed = (await server.ask("/v1/runs?limit=500")).body["runs"] as readonly {
      readonly runId: string
    }[]
    expect(listed.filter((run) => run.runId === runId)).toMatchObject([
      { status: "waiting", isHere: true },
    ])
    await give(runId, "cancel")
  })

  test("all routes require the token, except /health and /openapi.json", async () => {
    const status = async (
      path: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<number> => (await fetch(`${server.origin}${path}`, { headers })).status
    expect(await status("/v1/workflows")).toBe(401)
    expect(await status("/v1/workflows", { authorization: "Bearer guess" })).toBe(401)
    expect(await status("/v1/workflows?token=test-token")).toBe(401)
    expect(await status("/v1/workflows", { authorization: "Bearer test-token" })).toBe(200)
    expect(await status("/v1/runs/none/events?token=test-token")).toBe(404)
    expect(await status("/health")).toBe(200)
    expect(await status("/openapi.json")).toBe(200)
  })

  test("requests with another host name or from an origin that is not allowed are rejected", async () => {
    const ask = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(server.origin)
        request(
          { hostname, port, path: "/health", headers },
          (response) => (response.resume(), resolve(response.statusCode)),
        )
          .on("error", reject)
          .end()
      })
    expect(await ask({ host: "evil.example" })).toBe(403)
    expect(await ask({ origin: "https://evil.example" })).toBe(403)
    expect(await ask({ origin: server.origin })).toBe(200)
    const allowed = await fetch(`${server.origin}/v1/workflows`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example.com",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    })
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example.com")
  })

  test("invalid requests are rejected with the reason", async () => {
    const refused = async (path: string, body: unknown): Promise<Answer> =>
      server.ask(path, { method: "POST", body })
    expect(await refused("/v1/runs", "{")).toMatchObject({
      status: 400,
      body: { code: "input_refused", message: "the body of the request must be JSON" },
    })
    expect(
      await server.ask("/v1/runs", {
        method: "POST",
        body: { workflow: "human-approval", state: 3 },
      }),
    ).toMatchObject({
      status: 400,
      body: {
        message:
          'the request is not valid: "state": expected object, received number. GET /openapi.json describes the fields',
      },
    })
    expect(await refused("/v1/runs", { workflow: "nothing" })).toMatchObject({
      status: 404,
      body: { code: "workflow_unknown" },
    })
    expect(await refused("/v1/runs", { workflow: "content-loop", prompts: "x" })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("prompts") },
    })
    expect(
      await refused("/v1/runs", { workflow: "content-loop", runId: "../escape" }),
    ).toMatchObject({ status: 400 })
    expect(
      await refused("/v1/runs", { workflow: "content-loop", prompt: "x".repeat(30_000) }),
    ).toMatchObject({ status: 413, body: { code: "body_too_large" } })
    expect(await refused("/v1/runs/none/cancel", {})).toMatchObject({
      status: 404,
      body: { code: "run_unknown" },
    })
    expect(await server.ask("/v1/nothing")).toMatchObject({
      status: 404,
      body: { code: "unknown_route" },
    })
  })

  test("the OpenAPI document lists every operation, and each of them exists", async () => {
    const { body } = await server.ask("/openapi.json")
    expect(body).toMatchObject({ openapi: "3.1.0", security: [{ token: [] }] })
    const operations = Object.entries(body["paths"] as object).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const messages = ["say", "approve", "reject", "answer", "deliver", "end", "cancel", "resume"]
    expect(operations.sort()).toEqual(
      [
        "GET /health",
        "GET /ready",
        "GET /v1/workflows",
        "GET /v1/schedules",
        "GET /v1/webhooks",
        "POST /v1/webhooks/{id}/retry",
        "POST /v1/hooks/{id}",
        "GET /v1/runs",
        "POST /v1/runs",
        ...["", "/result", "/events", "/drawing"].map((end) => `GET /v1/runs/{id}${end}`),
        ...messages.map((type) => `POST /v1/runs/{id}/${type}`),
      ].sort(),
    )
    for (const operation of operations) {
      const [method = "", path = ""] = operation.split(" ")
      const answer = await server.ask(path.replace("{id}", "none"), {
        method,
        ...(method === "POST" ? { body: "{}" } : {}),
      })
      expect(answer.body["code"], operation).not.toBe("unknown_route")
    }
  })

  test("the drawing of a run is SVG that marks the states of each agent", async () => {
    const runId = await started("human-approval")
    const read = (id: string, token: string): Promise<Response> =>
      fetch(`${server.origin}/v1/runs/${id}/drawing`, {
        headers: { authorization: `Bearer ${token}` },
      })
    const response = await read(runId, "test-token")
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("image/svg+xml")
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
    const svg = await response.text()
    expect(svg).toMatch(/^<svg [^]*<\/svg>\n$/)
    const agents = (await server.events(runId, ({ type }) => type === "agent.started")).map(
      ({ agent }) => agent,
    )
    expect(svg).toContain(`data-agents="${agents.at(-1)}"`)
    expect((await read(runId, "wrong")).status).toBe(401)
    expect(await server.ask("/v1/runs/none/drawing")).toMatchObject({
      status: 404,
      body: { code: "run_unknown" },
    })
    await give(runId, "cancel")
  })

  test("a request without a body is treated like a request with an empty body", async () => {
    const runId = await started("human-approval")
    expect(await server.ask(`/v1/runs/${runId}/say`, { method: "POST" })).toMatchObject({
      status: 400,
      body: { code: "input_refused", message: expect.stringContaining("content") },
    })
    expect((await server.ask(`/v1/runs/${runId}/cancel`, { method: "POST" })).body).toMatchObject({
      status: "cancelled",
    })
  })

  test("a query parameter that is not a whole number is rejected with its name", async () => {
    expect(await server.ask("/v1/runs?limit=ten")).toMatchObject({
      status: 400,
      body: { code: "input_refused", message: expect.stringMatching(/"limit": .*whole number/) },
    })
  })
})

describe.skipIf(!isBuilt)("starts and stops of a server", () => {
  test("the next server resumes the runs of a stopped server, and readers continue after their last event", async () => {
    const place = mkdtempSync(join(tmpdir(), "serve-"))
    const work = join(examples, "human-approval")
    const first = await startTestServer(work, join(place, "runs.sqlite"), ["--scripted"])
    expect(first.token).toMatch(/^[\w-]{24}$/)
    const { body } = await first.ask("/v1/runs", {
      method: "POST",
      body: { workflow: "human-approval", runId: "pay" },
    })
    expect(body).toMatchObject({ runId: "pay" })
    const seen = await first.events("pay", ({ type }) => type === "model.called")
    expect(await first.stop()).toBe(0)
    const idle = await startTestServer(work, join(place, "runs.sqlite"), ["--scripted"])
    expect(idle.said()).toContain(
      "1 run is interrupted. To resume them, start the server with --resume",
    )
    expect(await idle.stop()).toBe(0)
    const second = await startTestServer(work, join(place, "runs.sqlite"), [
      "--scripted",
      "--resume",
    ])
    expect(second.said()).toContain("Resumed 1 interrupted run.")
    const more = await second.events("pay", ({ type }) => type === "human.asked", seen.at(-1)?.seq)
    expect([...seen, ...more].map(({ seq }) => seq)).toEqual(
      [...seen, ...more].map((_, index) => index),
    )
    expect(await second.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })

  test("--no-auth requires a loopback address, and --rate limits the requests per second", async () => {
    const place = mkdtempSync(join(tmpdir(), "serve-"))
    await expect(
      startTestServer(place, join(place, "runs"), ["--no-auth", "--host", "0.0.0.0"]),
    ).rejects.toThrow(/--no-auth requires a loopback address/)
    const server = await startTestServer(place, join(place, "runs"), ["--no-auth", "--rate", "2"])
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => fetch(`${server.origin}/v1/workflows`)),
    )
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThanOrEqual(6)
    expect(limited[0]?.headers.get("retry-after")).toBe("1")
    expect((await fetch(`${server.origin}/health`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })
})
