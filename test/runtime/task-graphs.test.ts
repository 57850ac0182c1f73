import { afterEach, describe, expect, test } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { startScriptedService, type ScriptedService } from "../../src/adapters/scripted/index.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"

const http = (id: string, dependencies: readonly string[] = [], more: object = {}): object => ({
  id,
  type: "http",
  dependencies,
  http: { method: "GET", url: `http://http.test/${id}` },
  ...more,
})

const writer = (id: string, more: object = {}): object => ({
  id,
  type: "adk",
  config: {
    rootAgentId: `${id}_writer`,
    agents: [
      {
        type: "LlmAgent",
        id: `${id}_writer`,
        httpConfig: { url: `http://llm.test/${id}_writer`, method: "POST" },
      },
    ],
    initialUserInput: "go",
    ...more,
  },
})

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function scripted(scenario: object): Promise<{
  readonly service: ScriptedService
  readonly http: ReturnType<typeof createHttpServices>
}> {
  const service = await startScriptedService(scenario)
  const services = createHttpServices({ dispatcher: service.dispatcher() })
  open.push(() => services.close().then(() => service.close()))
  return { service, http: services }
}

const chartOf = (config: object): AgentChart => compileOrThrow(config) as AgentChart

describe.each(interpreters)("a graph (%s)", (interpreter) => {
  test("a graph continues when the conversations of its agents end", async () => {
    const { http: services } = await scripted({
      llm: { talk_writer: [{ content: "What next?", waitForUserInput: true }] },
      http: { side: [{ json: 1 }], after: [{ json: 2 }] },
    })
    const chart = chartOf({
      nodes: [writer("talk"), http("side"), http("after", ["talk", "side"])],
    })
    const { controls } = begin(interpreter, chart, { http: services })
    expect((await controls.whenSettled()).status).toBe("waiting")
    expect(controls.pending()).toMatchObject([{ kind: "input", node: "talk" }])
    controls.end()
    const result = await controls.result
    expect(result.status).toBe("completed")
    expect(result.state).toMatchObject({
      executed: ["side", "talk", "after"],
      results: { talk: { data: { final_response_text: "What next?", error_details: null } } },
    })
  })

  test("the snapshot of a running graph contains the results so far", async () => {
    const { http: services } = await scripted({
      http: { fast: [{ json: { x: 1 } }], slow: [{ json: 2, delayMs: 5_000 }] },
    })
    const chart = chartOf({ nodes: [http("fast"), http("slow", ["fast"])], context: { a: 1 } })
    const { controls } = begin(interpreter, chart, { http: services }, { context: { b: 2 } })
    await expect
      .poll(() => controls.snapshot().state)
      .toMatchObject({
        context: { a: 1, b: 2 },
        executed: ["fast"],
        results: { fast: { data: { x: 1 }, statusCode: 200 } },
        nodes: { fast: "executed", slow: "pending" },
      })
    controls.cancel()
    expect((await controls.result).state["nodes"]).toEqual({ fast: "executed", slow: "terminated" })
  })

  test("the model calls of each adk node are counted separately", async () => {
    const { http: services } = await scripted({
      llm: {
        one_writer: [{ content: "1" }],
        two_writer: [{ content: "2", exitFlow: true }],
      },
    })
    const chart = chartOf({
      nodes: [writer("one", { maxModelCalls: 1 }), writer("two", { maxModelCalls: 1 })],
    })
    const { controls } = begin(interpreter, chart, { http: services })
    const { status, state } = await controls.result
    expect(status).toBe("completed")
    expect(state["results"]).toMatchObject({
      one: { data: { terminated_by_global_limit: true } },
      two: { data: { terminated_by_global_limit: false, final_response_text: "2" } },
    })
  })
})

describe("the input of a graph", () => {
  test("a graph accepts only a context as its input", async () => {
    const { http: services } = await scripted({ http: { a: [] } })
    const runner = createRunner({ http: services })
    const chart = chartOf({ nodes: [http("a")] })
    expect(() => runner.start(chart, { prompt: "Hello" })).toThrow(
      /Pass the data of the run as context/,
    )
    expect(() => runner.start(chart, { state: { a: 1 } })).toThrow(/a session state/)
    const agents = chartOf({
      rootAgentId: "ask",
      agents: [{ type: "HumanAgent", id: "ask", prompt: "Why?" }],
    })
    expect(() => runner.start(agents, { context: {} })).toThrow(/only a run of a graph/)
  })
})

describe("a graph that is resumed", () => {
  const scenario = {
    llm: { report_writer: [{ content: "fine", exitFlow: true, repeat: true }] },
    http: {
      list: [{ json: [1, 2, 3], repeat: true }],
      each: [
        { for: "/2", httpStatus: 400 },
        { for: "/2", httpStatus: 400 },
        { json: "ok", repeat: true },
      ],
      fix: [{ json: "fixed", repeat: true }],
      poll: [{ json: { n: 0 } }, { json: { n: 1 }, repeat: true }],
    },
  }
  const chart = chartOf({
    nodes: [
      http("list"),
      {
        id: "loop",
        type: "forEach",
        dependencies: ["list"],
        forEach: { items: "{{ results.list.data }}" },
        config: { concurrency: 2 },
      },
      {
        id: "each",
        type: "http",
        dependencies: ["loop"],
        http: { method: "GET", url: "http://http.test/each/{{ row.data }}" },
      },
      {
        id: "fix",
        type: "error_boundary",
        protectedNodes: ["each"],
        http: { method: "POST", url: "http://http.test/fix" },
      },
      { id: "loop_end", type: "endForEach", forEachId: "loop", dependencies: ["each"] },
      {
        ...http("poll", ["list"], {
          conditions: { pollUntil: ["{{ data.n > 0 }}"] },
          activityConfig: { retryPolicy: { initialInterval: "1ms" } },
        }),
      },
      { ...writer("report"), dependencies: ["loop_end", "poll"] },
    ],
  })

  test("has the same result after a restart at every record", async () => {
    const { http: services } = await scripted(scenario)
    const journal = memoryJournal()
    const whole = await createRunner({ http: services, journal }).start(chart, { runId: "r" })
      .result
    expect(whole.status).toBe("completed")
    const stored = journal.toJSON()["r"]
    if (stored === undefined) throw new Error("the journal has no run")
    expect(stored.records.length).toBeGreaterThan(8)
    for (let length = 0; length < stored.records.length; length++) {
      const again = await scripted(scenario)
      const past = { ...stored, records: stored.records.slice(0, length) }
      const runner = createRunner({
        http: again.http,
        journal: memoryJournal({ r: past }),
      })
      const { status, state } = await (await runner.resume("r")).result
      expect(status, `after ${length} records`).toBe("completed")
      expect(state["nodes"]).toEqual(whole.state["nodes"])
      expect(state["results"]).toMatchObject({
        loop: { data: { totalItems: 3, failedItems: [] } },
        report: { data: { final_response_text: "fine" } },
      })
      const finished = past.records.filter(([n]) => n >= 0).length
      expect(again.service.requests.length).toBeLessThanOrEqual(
        stored.records.length - finished + 3,
      )
    }
  })
})
