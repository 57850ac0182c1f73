import { once } from "node:events"
import type { EventEmitter } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import type { TemporalActivities } from "../../../../src/adapters/engine/temporal/index.js"
import { temporalActivities } from "../../../../src/adapters/engine/temporal/index.js"
import { createHttpServices } from "../../../../src/adapters/http/index.js"
import { compile } from "../../../../src/compiler/index.js"
import type { Envelope } from "../../../../src/machines/contract/services.js"
import type { LeafCall } from "../../../../src/runtime/driver/host.js"
import type { CallServices } from "../../../../src/runtime/host/call-services.js"
import { graph } from "../../../kill/graph.mjs"
import { startService } from "../../../kill/service.mjs"
import { workflow } from "../../../kill/workflow.mjs"
import { historyOf } from "./history.js"
import { installed, isReady, replayWorker, whyNot } from "./replay-worker.js"
import { traceOf } from "./trace.js"

/** The environment in which Temporal's test package runs an activity. */
interface Environment extends EventEmitter {
  cancel(reason?: string): void
  run(activity: (call: LeafCall) => Promise<Envelope>, call: LeafCall): Promise<Envelope>
}

const environment = (): Environment => {
  const { MockActivityEnvironment } = installed("@temporalio/testing") as {
    readonly MockActivityEnvironment: new (info: object) => Environment
  }
  return new MockActivityEnvironment({ heartbeatTimeoutMs: 100 })
}

const callTo = (url: string): LeafCall => ({
  n: 0,
  src: "callModel",
  input: {
    request: {
      runId: "r",
      agent: "one",
      path: "one",
      branch: null,
      idempotencyKey: "r/one#0",
      attempt: 1,
      model: null,
      endpoint: { url, method: "POST" },
      messages: [],
      tools: [],
      state: {},
      context: {},
    },
    timeoutMs: null,
    deadline: null,
  },
})

describe.skipIf(!isReady)(
  `activities in the test environment of Temporal${isReady ? "" : ` (skipped: ${whyNot})`}`,
  () => {
    const http = createHttpServices()
    const { callModel } = isReady ? temporalActivities({ http }) : ({} as TemporalActivities)

    async function service(answer: (respond: (status: number, body: object) => void) => void) {
      let asked = (): void => {}
      let closed = (): void => {}
      const seen = {
        asked: new Promise<void>((resolve) => (asked = resolve)),
        closed: new Promise<void>((resolve) => (closed = resolve)),
      }
      const server = createServer((request, response) => {
        asked()
        request.socket.on("close", closed)
        answer((status, body) =>
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(JSON.stringify(body)),
        )
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      onTestFinished(() => (server.closeAllConnections(), void server.close()))
      return { ...seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/one` }
    }

    test("a failed call is a result of its activity, so that only the chart retries it", async () => {
      const { url } = await service((respond) => respond(503, {}))
      expect(await environment().run(callModel, callTo(url))).toMatchObject({
        ok: false,
        error: { code: "model_call_failed", status: 503, retryable: true },
      })
    })

    test("a cancelled call closes its connection at once, and its activity ends as cancelled", async () => {
      const { url, asked, closed } = await service(() => {})
      const worker = environment()
      const running = worker.run(callModel, callTo(url))
      await asked
      worker.cancel("CANCELLED")
      await expect(running).rejects.toMatchObject({ name: "CancelledFailure" })
      await closed
    })

    test("a call in flight sends several heartbeats", async () => {
      let respond = (_status: number, _body: object): void => {}
      const { url } = await service((given) => (respond = given))
      const worker = environment()
      const running = worker.run(callModel, callTo(url))
      for (let beats = 0; beats < 3; beats++) await once(worker, "heartbeat")
      respond(200, { content: "Once." })
      expect(await running).toMatchObject({ ok: true, value: { content: "Once." } })
    })

    test.each([
      {
        name: "agents",
        configOf: workflow,
        expected: {
          status: "completed",
          text: "said <r/line/closer#0>",
          state: { city: "yes" },
        },
      },
      {
        name: "a whole graph",
        configOf: graph,
        expected: {
          status: "completed",
          state: {
            nodes: { broken: "executed_and_failed", rescue: "executed", last: "executed" },
            results: { each: { data: { totalItems: 2, failedItems: [] } } },
          },
        },
      },
    ])(
      "the history of a run of $name whose calls are activities replays to the same result",
      async ({ configOf, expected }) => {
        const shop = await startService()
        onTestFinished(shop.close)
        const services: CallServices = { http }
        const { chart } = compile(configOf(shop.base))
        if (chart === null) throw new Error("the workflow of the kill trials has an error")
        const activities = temporalActivities(services)
        const order = { runId: "r", chart, at: 1_800_000_000_000 }
        const trace = await traceOf(order, services, {
          perform: (call) => environment().run(activities[call.src as "callModel"], call),
        })
        expect(trace.result).toMatchObject(expected)
        expect([...shop.of("r").carriedOut.values()].every((times) => times === 1)).toBe(true)
        const replay = await replayWorker()
        expect(await replay(historyOf(order, trace), "r")).toEqual({
          error: null,
          result: trace.result,
          refused: [],
        })
      },
    )
  },
)
