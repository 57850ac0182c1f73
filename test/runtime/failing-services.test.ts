import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { createServer as createTcpServer } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { secretsFromObject } from "../../src/adapters/http/secrets/secret-sources.js"
import { startScriptedService } from "../../src/adapters/scripted/scripted-service.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { RunEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { chartOf, llm, sequence } from "../support/workflow.js"

const secret = "s3cr3t-of-the-test"

/** Longer than the test timeout, so a test fails if its call is not aborted. */
const never = 600_000

/** Returns the number of sockets, servers and timers that keep this process alive. */
const openHandles = (): number =>
  process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Server/.test(name)).length

/** A working agent, followed by an agent whose service fails. */
const chartFor = (url: string, activityConfig: object): AgentChart =>
  chartOf([
    sequence("line", ["fine", "broken"]),
    llm("fine"),
    llm("broken", {
      httpConfig: {
        url: `${url}/broken?key={{ $secret('key') }}`,
        method: "POST",
        headers: { "x-key": "{{ $secret('key') }}" },
      },
      activityConfig,
    }),
  ])

interface Ended {
  readonly result: RunResult
  readonly events: readonly RunEvent[]
}

async function runAgainst(url: string, activityConfig: object = {}, fineUrl = ""): Promise<Ended> {
  const fine = await startScriptedService({
    llm: { fine: [{ content: "finished before" }] },
    tools: {},
  })
  const chart = JSON.parse(
    JSON.stringify(chartFor(url, activityConfig)).replaceAll(
      "http://agents.test/fine",
      fineUrl || `${fine.url}/fine`,
    ),
  ) as AgentChart
  const http = createHttpServices({ secrets: secretsFromObject({ key: secret }) })
  const run = createRunner({ http }).start(chart)
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  const result = await run.result
  await http.close()
  await fine.close()
  return { result, events }
}

function expectClearFailure(
  { result, events }: Ended,
  url: string,
  ...causes: readonly (string | RegExp)[]
): void {
  expect(result.status).toBe("failed")
  expect(result.error?.agent).toBe("broken")
  const message = result.error?.message ?? ""
  expect(message).toContain('agent "broken"')
  expect(message).toContain(new URL(url).host)
  expect(message).toMatch(/attempt/)
  for (const cause of causes) expect(message).toMatch(cause)
  expect(result.state["fine_text"]).toBe("finished before")
  expect(JSON.stringify([result, events])).not.toContain(secret)
}

describe("a model service that fails", () => {
  let before: number
  // Both counts are taken inside a poll, because the timers of vitest's own poll are counted too.
  beforeEach(async () => {
    await expect.poll(() => (before = openHandles())).toBeGreaterThanOrEqual(0)
  })
  afterEach(async () => {
    await expect.poll(openHandles).toBeLessThanOrEqual(before)
  })

  test("the run fails with a clear error if the service is down", async () => {
    const reserved = createTcpServer()
    await new Promise<void>((resolve) => reserved.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(reserved.address() as AddressInfo).port}`
    await new Promise((resolve) => reserved.close(resolve))
    expectClearFailure(await runAgainst(url), url, /refused/i)
  })

  test("each attempt of a slow call is aborted at its timeout, and the run fails after the last attempt", async () => {
    const slow = await startScriptedService({
      llm: {
        broken: [
          { content: "late", delayMs: never },
          { content: "late", delayMs: never },
        ],
      },
      tools: {},
    })
    const activity = {
      startToCloseTimeout: "150ms",
      retryPolicy: { maximumAttempts: 2, initialInterval: 10 },
    }
    const ended = await runAgainst(slow.url, activity)
    const attempts = slow.requests.length
    const aborted = slow.requests.every((request) => request.aborted)
    await slow.close()
    expectClearFailure(ended, slow.url, /time/, /attempt 2/)
    expect(attempts).toBe(2)
    expect(aborted).toBe(true)
  })

  test("the run fails if a slow call exceeds its scheduleToCloseTimeout", async () => {
    const slow = await startScriptedService({
      llm: { broken: [{ content: "late", delayMs: never }] },
      tools: {},
    })
    const ended = await runAgainst(slow.url, {
      scheduleToCloseTimeout: "200ms",
      retryPolicy: { maximumAttempts: 9 },
    })
    await slow.close()
    expectClearFailure(ended, slow.url, /scheduleToCloseTimeout/)
  })

  test("the run fails if the response is not JSON", async () => {
    const garbage = await startScriptedService({
      llm: { broken: [{ malformed: "<html>gateway</html>" }] },
      tools: {},
    })
    const ended = await runAgainst(garbage.url)
    await garbage.close()
    expectClearFailure(ended, garbage.url, /JSON/)
    expect(ended.result.error?.code).toBe("service_answer_malformed")
  })

  test("the run fails if the response is JSON of the wrong shape", async () => {
    const shape = await startScriptedService({ llm: { broken: [{ content: 7 }] }, tools: {} })
    const ended = await runAgainst(shape.url)
    await shape.close()
    expectClearFailure(ended, shape.url, /content/)
  })

  test("the run fails if the response has 50 MB", async () => {
    const huge = await startScriptedService({
      llm: { broken: [{ hugeBytes: 50_000_000 }] },
      tools: {},
    })
    const ended = await runAgainst(huge.url)
    await huge.close()
    expectClearFailure(ended, huge.url, /bytes|MiB|MB/)
    expect(ended.result.error?.code).toBe("response_too_large")
  })

  test("the run fails if the service resets the connection", async () => {
    const reset = await startScriptedService({ llm: { broken: [{ reset: true }] }, tools: {} })
    const ended = await runAgainst(reset.url)
    await reset.close()
    expectClearFailure(ended, reset.url, /closed|reset|hang up|terminated/i)
  })

  test("the call times out if the service accepts the connection but does not respond", async () => {
    const sockets = new Set<Socket>()
    const silent = createTcpServer((socket) => sockets.add(socket.on("error", () => {})))
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const ended = await runAgainst(url, { startToCloseTimeout: "200ms" })
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
    expectClearFailure(ended, url, /time/)
  })

  test("a secret that the service returns in an error is masked in the result and the events", async () => {
    const echo = await startScriptedService({
      llm: { broken: [{ httpStatus: 500, echoHeaders: true }] },
      tools: {},
    })
    const ended = await runAgainst(echo.url)
    const sent = echo.requests[0]?.headers["x-key"]
    await echo.close()
    expect(sent).toBe(secret)
    expectClearFailure(ended, echo.url, /500/)
    expect(ended.result.error?.status).toBe(500)
  })

  test("a cancelled run closes its sockets at once", async () => {
    let closed: () => void
    const whenClosed = new Promise<void>((resolve) => (closed = resolve))
    let arrived: () => void
    const whenArrived = new Promise<void>((resolve) => (arrived = resolve))
    const server = createServer((request) => {
      request.socket.on("close", () => closed())
      arrived()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/broken`
    const http = createHttpServices()
    const run = createRunner({ http }).start(
      chartOf([llm("broken", { httpConfig: { url, method: "POST" } })]),
    )
    await whenArrived
    run.cancel()
    const { status } = await run.result
    await whenClosed
    expect(status).toBe("cancelled")
    await http.close()
    await new Promise((resolve) => server.close(resolve))
  })
})

test("a service that is registered after a run failed without it serves the next run", async () => {
  const chart = chartOf([llm("writer", { httpConfig: undefined, model: "small" })], {
    dialect: "adk",
  })
  const models: Record<string, { call: () => Promise<unknown> }> = {}
  const runner = createRunner({ models: models })
  expect(await runner.start(chart).result).toMatchObject({
    status: "failed",
    error: { code: "service_missing" },
  })
  models["small"] = { call: async () => ({ content: "here" }) }
  expect(await runner.start(chart).result).toMatchObject({ status: "completed", text: "here" })
  expect(await runner.start(chart).result).toMatchObject({ status: "completed", text: "here" })
  delete models["small"]
  expect(await runner.start(chart).result).toMatchObject({
    status: "failed",
    error: { code: "service_missing" },
  })
})

test("a run that cannot start because of a missing service is not stored", async () => {
  const chart = chartOf([llm("writer", { httpConfig: undefined, model: "small" })], {
    dialect: "adk",
  })
  const journal = memoryJournal()
  const { result } = createRunner({ journal }).start(chart)
  expect(await result).toMatchObject({ status: "failed", error: { code: "service_missing" } })
  expect(await journal.list()).toEqual([])
})
