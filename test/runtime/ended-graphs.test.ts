import { describe, expect, test } from "vitest"
import { fromPromise, setup } from "xstate"
import type { HostService } from "../../src/runtime/host/host-service.js"
import { begin, chartOf, interpreters, scriptedModel } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const agent = (name: string, more: object = {}): object => ({
  type: "LlmAgent",
  name,
  model: "any",
  instruction: "i",
  ...more,
})

const graph = (edges: readonly unknown[], more: object = {}): object => ({
  type: "Workflow",
  name: "graph",
  triggering: "each",
  edges,
  ...more,
})

const configOf = (agents: readonly object[], more: object = {}): object => ({
  rootAgentId: (agents[0] as { readonly name: string }).name,
  initialUserInput: "go",
  agents,
  ...more,
})

/** A model that never answers. */
const silent = { any: { call: () => new Promise<never>(() => {}) } }

/** A machine that invokes the agent `writer`, or waits one second for the event GO. */
const machineOf = (initial: "writing" | "asking"): HostService =>
  setup({ actors: { writer: fromPromise(async () => null) } }).createMachine({
    id: "own",
    initial,
    states: {
      writing: { invoke: { src: "writer", onDone: "end" } },
      asking: { on: { GO: "end" }, after: { 1000: "later" } },
      later: { after: { 1000: "end" } },
      end: { type: "final" },
    },
  })

const machineAgent = {
  type: "MachineAgent",
  name: "own",
  subAgents: [{ agentId: "writer" }],
}

describe.each(interpreters)("ended graphs, machine agents and tasks (%s)", (interpreter) => {
  test.each([
    ["MachineAgent", [machineAgent, agent("writer")], { own: machineOf("writing") }],
    ["graph", [graph([["START", "writer"]]), agent("writer")], {}],
    [
      "ParallelWorker",
      [
        graph([["START", "writer"]], { nodeOptions: { writer: { parallelWorker: true } } }),
        agent("writer"),
      ],
      {},
    ],
  ])("a %s that is stopped with its run does not fail", async (_name, agents, services) => {
    const clock = simulatedClock()
    const chart = chartOf(configOf(agents, { maxDuration: 500 }))
    const { controls, events } = begin(interpreter, chart, { clock, services, models: silent })
    await clock.runUntilIdle()
    expect(controls.snapshot()).toMatchObject({
      status: "limit",
      error: { code: "limit_reached", message: expect.stringContaining("maxDuration") },
    })
    const ends = events.flatMap((event) =>
      event.type === "agent.finished" ? [[event.agent, event.outcome]] : [],
    )
    expect(ends).toEqual([
      ["writer", "stopped"],
      [(agents[0] as { readonly name: string }).name, "stopped"],
    ])
  })

  test("the request of a MachineAgent expires when a timer of its machine ends", async () => {
    const clock = simulatedClock(5_000)
    const chart = chartOf(configOf([machineAgent, agent("writer")]))
    const services = { own: machineOf("asking") }
    const { controls, events } = begin(interpreter, chart, { clock, services, models: silent })
    await controls.whenSettled()
    expect(controls.pending()).toMatchObject([{ id: "own#0", expiresAt: 6_000 }])
    await clock.runUntilIdle()
    expect(controls.pending()).toEqual([])
    expect(events).toContainEqual(
      expect.objectContaining({ type: "request.expired", id: "own#0", onExpiry: "continue" }),
    )
    expect(controls.snapshot().status).toBe("completed")
  })

  test("questions without an id have different ids", async () => {
    const chart = chartOf(
      configOf([
        graph([["START", "asker"]], { nodeOptions: { asker: { returnsNodeResult: true } } }),
        { type: "FunctionNode", name: "asker" },
      ]),
    )
    const question = { id: "", message: "?", payload: null, responseSchema: null }
    const services = { asker: () => ({ questions: [question, question] }) }
    const { controls } = begin(interpreter, chart, { services })
    await controls.whenSettled()
    const ids = controls.pending().map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    for (const [index, id] of ids.entries()) controls.answer(id, `answer ${index}`)
    expect(await controls.whenSettled()).toMatchObject({ status: "completed" })
  })

  test("each attempt of an agent in a graph has its own idempotency keys", async () => {
    const clock = simulatedClock()
    const chart = chartOf(
      configOf([
        graph([["START", "writer"]], {
          nodeOptions: { writer: { retryConfig: { maxAttempts: 2, initialDelay: 0.1 } } },
        }),
        agent("writer"),
      ]),
    )
    const keys: string[] = []
    const call = async ({ idempotencyKey }: { readonly idempotencyKey: string }) => {
      keys.push(idempotencyKey)
      if (keys.length === 1) throw new Error("not now")
      return { content: "written" }
    }
    const { controls } = begin(interpreter, chart, { clock, models: { any: { call } } })
    await clock.runUntilIdle()
    expect(controls.snapshot()).toMatchObject({ status: "completed", text: "written" })
    expect(new Set(keys).size).toBe(2)
  })

  test.each([
    ["a limit", { content: "one" }, "limit"],
    ["exitFlow", { content: "out", exitFlow: true }, "completed"],
  ])(
    "a ParallelWorker ends in the same way as an item that ends with %s",
    async (_name, answer, status) => {
      const chart = chartOf(
        configOf([
          graph([["START", "list", "writer", "after"]], {
            nodeOptions: { writer: { parallelWorker: true, maxParallelWorkers: 1 } },
          }),
          { type: "FunctionNode", name: "list" },
          agent("writer", { budget: { maxModelCalls: 1, onExceeded: "limit" } }),
          { type: "FunctionNode", name: "after" },
        ]),
      )
      const services = { list: () => [1, 2, 3], after: () => "after" }
      const { models, asked } = scriptedModel({ writer: [answer] })
      const { controls, events } = begin(interpreter, chart, { services, models })
      const result = await controls.whenSettled()
      expect(result.status).toBe(status)
      expect(asked.length).toBe(1)
      expect(events.some(({ agent: name }) => name === "after")).toBe(false)
    },
  )

  test("a task that waits for the user can be ended", async () => {
    const chart = chartOf(
      configOf([
        graph([["START", "writer"]], {
          nodeOptions: { writer: { task: { type: "object", properties: { n: {} } } } },
        }),
        agent("writer"),
      ]),
    )
    const { models } = scriptedModel({ writer: [{ content: "Which one?" }] })
    const { controls } = begin(interpreter, chart, { models })
    expect(await controls.whenSettled()).toMatchObject({ status: "waiting" })
    controls.end()
    expect(await controls.whenSettled()).toMatchObject({ status: "completed", error: null })
  })
})
