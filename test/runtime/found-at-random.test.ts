import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { HostContext } from "../../src/runtime/host/host-function.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, chartOf as adkChartOf, interpreters } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { chartOf, httpTool, human, llm, loop, parallel, sequence } from "../support/workflow.js"

const raises = (agentId: string): Readonly<Record<string, unknown>> => ({
  agentId,
  when: `session_state['${agentId}_ghost'] == 1`,
})

describe.each(interpreters)(
  "conditions of several branches that fail in one step (%s)",
  (interpreter) => {
    test("each failed condition fails its own branch with its own error", async () => {
      const chart = chartOf([
        parallel("all", [raises("one"), raises("two"), "three"], { failurePolicy: "collect" }),
        llm("one"),
        llm("two"),
        llm("three"),
      ])
      const { controls } = begin(
        interpreter,
        chart,
        scriptedServices({ three: [{ content: "3" }] }),
      )
      const { status, state } = await controls.whenSettled()
      expect(status).toBe("completed")
      expect(state["branch_errors"]).toEqual({
        one: { agent: "one", message: expect.stringContaining("one_ghost") },
        two: { agent: "two", message: expect.stringContaining("two_ghost") },
      })
    })

    test("a run that fails because of several conditions reports the error of a condition", async () => {
      const chart = chartOf([
        parallel("all", ["inner", raises("one")]),
        parallel("inner", [raises("two")], { failurePolicy: "wait-all" }),
        llm("one"),
        llm("two"),
      ])
      const { status, error } = await begin(
        interpreter,
        chart,
        scriptedServices({}),
      ).controls.whenSettled()
      expect({ status, error }).toMatchObject({
        status: "failed",
        error: { code: "condition_failed", agent: "one" },
      })
    })
  },
)

describe.each(interpreters)(
  "a branch that is dropped while its inner branches are running (%s)",
  (interpreter) => {
    test("the inner branches are dropped with the outer branch, and the run can be ended", async () => {
      const chart = adkChartOf({
        rootAgentId: "outer",
        initialUserInput: "go",
        agents: [
          parallel("outer", ["block"], { failurePolicy: "collect" }),
          parallel("block", ["fails", "inner"]),
          llm("fails"),
          parallel("inner", ["waits"]),
          human("waits"),
        ],
      })
      const { controls } = begin(interpreter, chart, scriptedServices({ fails: [{ status: 400 }] }))
      expect(await controls.whenSettled()).toMatchObject({
        status: "completed",
        state: { branch_errors: { block: { agent: "fails" } } },
      })
      controls.end()
      expect(controls.snapshot()).toMatchObject({ status: "completed", error: null })
    })
  },
)

describe.each(interpreters)(
  "an agent that exceeds its maxDuration while it waits for a person (%s)",
  (interpreter) => {
    test("the request of the agent is removed, and the requests of other agents stay pending", async () => {
      const clock = simulatedClock()
      const chart = chartOf([
        parallel("all", ["hurried", "patient"], { failurePolicy: "collect" }),
        llm("hurried", { maxDuration: 500 }),
        human("patient"),
      ])
      const { controls } = begin(interpreter, chart, {
        ...scriptedServices({ hurried: [{ content: "well?", waitForUserInput: true }] }),
        clock,
      })
      await clock.runUntilIdle()
      expect(controls.pending().map(({ agent }) => agent)).toEqual(["patient"])
      expect(controls.snapshot().status).toBe("waiting")
      controls.answer(controls.pending()[0]?.id ?? "", "yes")
      expect(await controls.whenSettled()).toMatchObject({
        status: "completed",
        state: { patient_answer: "yes" },
      })
    })
  },
)

describe.each(interpreters)("a tool call with two requests (%s)", (interpreter) => {
  test("the confirmation and the long-running call of a tool call have different request ids", async () => {
    const chart = adkChartOf({
      rootAgentId: "clerk",
      initialUserInput: "go",
      agents: [llm("clerk", { tools: ["order"] })],
      globalTools: [httpTool("order", { requireConfirmation: true })],
    })
    const { http } = scriptedServices(
      { clerk: [{ toolCalls: [{ id: "1", function_name: "order" }] }, { content: "ordered" }] },
      { order: [{ pending: true }] },
    )
    const { controls, events } = begin(interpreter, chart, { http })
    await controls.whenSettled()
    controls.approve(only(controls))
    await controls.whenSettled()
    controls.deliver("1", { number: 7 })
    expect(await controls.whenSettled()).toMatchObject({ status: "completed", text: "ordered" })
    expect(
      events.flatMap((event) => (event.type === "human.asked" ? [event.request.id] : [])),
    ).toEqual(["clerk/tool:1#0", "clerk/tool:1#0~1"])
  })
})

const only = (controls: RunControls): string => controls.pending()[0]?.id ?? ""

describe.each(interpreters)(
  "a used-up budget with a message in a loop without a maximum (%s)",
  (interpreter) => {
    test("the run ends with status limit, because each message counts as a model call", async () => {
      const chart = adkChartOf({
        rootAgentId: "rounds",
        initialUserInput: "go",
        maxModelCalls: 20,
        agents: [
          { type: "LoopAgent", id: "rounds", subAgents: [{ agentId: "writer" }] },
          llm("writer", { budget: { maxModelCalls: 1, onExceeded: { message: "That is all." } } }),
        ],
      })
      const services = scriptedServices({ writer: [{ content: "once" }] })
      const { status, text } = await begin(interpreter, chart, services).controls.whenSettled()
      expect({ status, text }).toEqual({ status: "limit", text: "That is all." })
      expect(services.modelCalls).toHaveLength(1)
    })
  },
)

describe("a host function that runs again after a restart", () => {
  const chart = adkChartOf({
    rootAgentId: "director",
    initialUserInput: "go",
    agents: [
      { type: "CustomAgent", id: "director", subAgents: [{ agentId: "writer" }] },
      llm("writer", { outputKey: "draft" }),
    ],
  })
  const director = async ({ state, emit, runAgent }: HostContext): Promise<void> => {
    state.set("draft", "none yet")
    emit("begun")
    await runAgent("writer")
    emit("written")
  }

  test("does not repeat the state changes and events before a recorded step", async () => {
    const journal = memoryJournal()
    const { http } = scriptedServices({ writer: [{ content: "a draft" }] })
    const run = createRunner({ http, journal, services: { director } }).start(chart, { runId: "r" })
    const result = await run.whenSettled()
    expect(result.state["draft"]).toBe("a draft")
    const { header, records } = journal.load("r") as { header: never; records: readonly never[] }
    for (let kept = 0; kept <= records.length; kept++) {
      const past = structuredClone({ r: { header, records: records.slice(0, kept) } }) as never
      const again = await createRunner({
        ...scriptedServices({ writer: [{ content: "a draft" }] }),
        journal: memoryJournal(past),
        services: { director },
      }).resume("r")
      const told: string[] = []
      expect((await again.whenSettled()).state, `after ${kept} records`).toEqual(result.state)
      again.events$.subscribe((event) => event.type === "host.emitted" && told.push(event.name))
      expect(told, `after ${kept} records`).toEqual(["begun", "written"])
    }
  })
})

test("a host function that never returns is aborted when the actor of its run is stopped", async () => {
  const chart = adkChartOf({
    rootAgentId: "director",
    initialUserInput: "go",
    agents: [{ type: "CustomAgent", id: "director", subAgents: [] }],
  })
  const signals: AbortSignal[] = []
  const director = async ({ signal, ask }: HostContext): Promise<void> => {
    signals.push(signal)
    await ask("sure?")
  }
  const actor = createActor(toMachine(chart, { services: { director } }), {
    input: { runId: "r" },
  }).start()
  await new Promise((resolve) => setImmediate(resolve))
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  actor.stop()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test("the events of a run do not change if a tool returns the same object twice", async () => {
  const hits = { hits: 1 }
  const chart: AgentChart = chartOf(
    [
      sequence("line", ["twice", "all"]),
      loop("twice", ["finder"], 2),
      llm("finder", { tools: ["find"] }),
      parallel("all", ["one", "two"]),
      llm("one", { tools: ["find"] }),
      llm("two", { tools: ["find"] }),
    ],
    { globalTools: [httpTool("find", { outputKey: "found" })] },
  )
  const finding = [{ toolCalls: [{ function_name: "find" }] }, { content: "found" }]
  const journal = memoryJournal()
  const { http } = scriptedServices(
    { finder: [...finding, ...finding], one: finding, two: finding },
    { find: [hits] },
  )
  const run = createRunner({ http, journal }).start(chart, { runId: "r" })
  const result = await run.result
  const events: unknown[] = []
  run.events$.subscribe((event) => events.push(event))
  const again = await createRunner({
    http,
    journal: memoryJournal(JSON.parse(JSON.stringify(journal.toJSON())) as never),
  }).resume("r")
  const replayed: unknown[] = []
  again.events$.subscribe((event) => replayed.push(event))
  expect(replayed).toEqual(events)
  hits.hits = 2
  expect(result.state["found"]).toEqual({ hits: 1 })
})

describe.each(interpreters)("a parallel block (%s)", (interpreter) => {
  const branches = Array.from({ length: 20 }, (_, index) => `other${index}`)
  const blocks = { "as regions": ["asker"], "as actors": [...branches, "asker"] }

  test.each(Object.entries(blocks))(
    "a block %s has the text with which its last branch paused if that branch ends without a text",
    async (_form, names) => {
      const chart = chartOf([
        sequence("root", ["all"], { outputKey: "answer" }),
        parallel("all", names),
        ...names.map((name) => llm(name)),
      ])
      const { controls } = begin(
        interpreter,
        chart,
        scriptedServices({
          ...Object.fromEntries(
            branches.map((name) => [name, [{ content: null, exitFlow: false }]]),
          ),
          asker: [{ content: "which city?", waitForUserInput: true }, { content: null }],
        }),
      )
      await controls.whenSettled()
      controls.say("Oslo")
      const { status, state } = await controls.whenSettled()
      expect({ status, answer: state["answer"] }).toEqual({
        status: "completed",
        answer: "which city?",
      })
    },
  )
})
