import { describe, expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/1-parse/policies/read-policies.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type {
  GraphNotification,
  NodeService,
} from "../../src/machines/contract/graphs/node-service.js"
import { executeRun } from "../../src/runtime/engine/execute-run.js"
import type { Engine, EngineEvent } from "../../src/runtime/engine/engine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const http = (id: string, dependencies: readonly string[] = []): object => ({
  id,
  type: "http",
  dependencies,
  http: { method: "GET", url: `http://http.test/${id}` },
})

const graph = (nodes: readonly object[], more: object = {}): AgentChart =>
  compileOrThrow({ nodes, webhookUrl: "http://webhook.test/hook", ...more }) as AgentChart

/** The time that each node takes, in milliseconds. A post takes as long as the node `webhook`. */
type Durations = Readonly<Record<string, number>>

/** Services whose calls take the given times, and the notifications that were posted. */
function servicesOf(durations: Durations) {
  const clock = simulatedClock()
  const posts: GraphNotification[] = []
  const keys: string[] = []
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = clock.wakeAt(clock.now() + ms, resolve)
      signal.addEventListener("abort", () => {
        cancel()
        reject(new Error("aborted"))
      })
    })
  const node: NodeService = {
    async call({ node: id, task, idempotencyKey }, { signal }) {
      if (task.type === "notify") {
        keys.push(idempotencyKey)
        await wait(durations["webhook"] ?? 1, signal)
        posts.push(task.notification)
        return null
      }
      await wait(durations[id] ?? 1, signal)
      return { response: { data: id, statusCode: 200, headers: {} } }
    },
  }
  const unused = { call: async () => ({ content: "unused" }) }
  return { clock, posts, keys, options: { clock, http: { model: unused, tool: unused, node } } }
}

const labelOf = ({ type, data }: GraphNotification): unknown =>
  type === "node" ? data["nodeId"] : data["error"]

const cancelled = { type: "cancelled", message: expect.stringContaining("was cancelled") }
const timeout = { type: "timeout", message: expect.stringContaining("workflowExecutionTimeout") }

describe.each(interpreters)("the webhook of a graph (%s)", (interpreter) => {
  test("receives the completion of a cancelled run after the notifications of its nodes", async () => {
    const { clock, posts, options } = servicesOf({ b: 1_000, webhook: 5 })
    const chart = graph([http("a"), http("b", ["a"]), http("c", ["b"])])
    const { controls } = begin(interpreter, chart, options, { runId: "r" })
    const timer = clock.wakeAt(clock.now() + 3, () => controls.cancel())
    await clock.runUntilIdle()
    timer()
    expect(controls.snapshot()).toMatchObject({
      status: "cancelled",
      state: { executed: ["a"], nodes: { a: "executed", b: "terminated", c: "skipped" } },
    })
    expect(posts.map(labelOf)).toEqual(["a", cancelled])
    expect(posts.at(-1)).toMatchObject({
      runId: "r",
      data: { result: { executed: ["a"], results: { a: { data: "a" } } } },
    })
    expect(posts.at(-1)?.data["result"]).not.toHaveProperty("nodes")
  })

  test("receives the completion of a run that exceeds its workflowExecutionTimeout", async () => {
    const { clock, posts, options } = servicesOf({ b: 5_000 })
    const chart = graph([http("a"), { id: "ok", type: "confirmation" }, http("b", ["a"])], {
      workflowConfig: { workflowExecutionTimeout: "2s" },
    })
    const { controls } = begin(interpreter, chart, options)
    await clock.runUntilIdle()
    expect(controls.snapshot()).toMatchObject({
      status: "limit",
      state: { nodes: { a: "executed", ok: "terminated", b: "terminated" } },
      error: { code: "limit_reached" },
    })
    expect(posts.map(labelOf)).toEqual(["a", timeout])
  })

  test("does not delay a run beyond its timeout", async () => {
    const { clock, posts, options } = servicesOf({ webhook: 1_500 })
    const chart = graph([http("a"), http("b")], {
      workflowConfig: { workflowExecutionTimeout: "2s" },
    })
    const { controls } = begin(interpreter, chart, options)
    await clock.runUntilIdle()
    expect(controls.snapshot()).toMatchObject({ status: "completed", error: null })
    expect(posts.map(labelOf)).toEqual(["a", "b", undefined])
  })

  test("receives a single completion if a run is cancelled and then exceeds its timeout", async () => {
    const { clock, posts, options } = servicesOf({ a: 5_000, webhook: 1_500 })
    const chart = graph([http("a")], { workflowConfig: { workflowExecutionTimeout: "2s" } })
    const { controls, events } = begin(interpreter, chart, options)
    clock.wakeAt(clock.now() + 1_000, () => controls.cancel())
    await clock.runUntilIdle()
    expect(controls.snapshot().status).toBe("cancelled")
    expect(posts.map(labelOf)).toEqual([cancelled])
    expect(events.some(({ type }) => type === "deadline.passed")).toBe(false)
  })

  test("receives the completion of a run that a policy has ended", async () => {
    const { clock, posts, options } = servicesOf({ webhook: 5 })
    const chart = graph([
      http("a"),
      {
        id: "agents",
        type: "adk",
        dependencies: ["a"],
        config: {
          rootAgentId: "writer",
          agents: [
            {
              type: "LlmAgent",
              id: "writer",
              httpConfig: { url: "http://llm.test/writer", method: "POST" },
            },
          ],
          initialUserInput: "go",
        },
      },
    ])
    const { policies } = readPolicies(
      "policies: [{ name: no-writer, never: { start: writer }, onViolation: fail }]",
      { file: "rules.policy.yaml" },
    )
    if (policies === null) throw new Error("the policies are not valid")
    const withPolicies: RunnerOptions = { ...options, policies, enforce: true }
    const { controls } = begin(interpreter, chart, withPolicies)
    await clock.runUntilIdle()
    const { status, error } = controls.snapshot()
    expect(status).not.toBe("completed")
    expect(posts.map(labelOf)).toEqual(["a", { type: error?.code, message: error?.message }])
  })
})

/** Executes a graph and returns the stored run, the notifications and their idempotency keys. */
async function everyPast(chart: AgentChart, durations: Durations, cancelAt: number | null) {
  const journal = memoryJournal()
  const { clock, posts, keys, options } = servicesOf(durations)
  const run = createRunner({ ...options, journal }).start(chart, { runId: "r" })
  if (cancelAt !== null) clock.wakeAt(clock.now() + cancelAt, () => run.cancel())
  await clock.runUntilIdle()
  const stored = journal.toJSON()["r"]
  if (stored === undefined) throw new Error("the journal has no run")
  return { stored, posts, keys: new Set(keys) }
}

test.each([
  ["cancelled", 3, {}],
  ["limit", null, { workflowConfig: { workflowExecutionTimeout: 3 } }],
])(
  "a run that ends as %s posts its completion after a restart",
  async (status, cancelAt, limits) => {
    const chart = graph([http("a"), http("b", ["a"])], limits)
    const durations = { b: 1_000, webhook: 5 }
    const whole = await everyPast(chart, durations, cancelAt)
    const end = whole.stored.records.findIndex(
      ([n, , event]) => n === -1 && (event as { readonly type: string }).type === "run.stopped",
    )
    const first = status === "cancelled" ? end + 1 : 2
    expect(first).toBeGreaterThan(0)
    for (let length = first; length < whole.stored.records.length; length++) {
      const { clock, posts, keys, options } = servicesOf(durations)
      const past = { ...whole.stored, records: whole.stored.records.slice(0, length) }
      const runner = createRunner({ ...options, journal: memoryJournal({ r: past }) })
      const run = await runner.resume("r")
      await clock.runUntilIdle()
      expect(run.snapshot().status, `after ${length} records`).toBe(status)
      expect(posts.at(-1)?.type).toBe("completion")
      expect(keys.every((key) => whole.keys.has(key))).toBe(true)
    }
  },
)

test("a cancelled graph that an engine executes posts its completion", async () => {
  const posts: GraphNotification[] = []
  const events: EngineEvent[] = [{ message: { type: "cancel" }, at: 2 }]
  const engine: Engine = {
    begin({ n, src, input }) {
      const { task } = (input as { readonly request: { readonly task: NodeTaskOf } }).request
      if (src === "callNode" && task.type === "notify") {
        posts.push(task.notification)
        events.push({ n, result: { ok: true, value: null, at: 3 } })
      }
      return () => {}
    },
    async next() {
      const event = events.shift()
      if (event === undefined) throw new Error("the run waits for nothing")
      return event
    },
  }
  const result = await executeRun({ runId: "r", chart: graph([http("a")]), at: 1 }, engine)
  expect(result.status).toBe("cancelled")
  expect(posts.map(labelOf)).toEqual([cancelled])
})

type NodeTaskOf = Parameters<NodeService["call"]>[0]["task"]
