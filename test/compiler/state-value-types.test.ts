import type { SnapshotFrom } from "xstate"
import { createActor, setup } from "xstate"
import { describe, expect, expectTypeOf, test } from "vitest"
import {
  GraphCompose,
  createLlmAgent,
  createLoopAgent,
  createSequentialAgent,
} from "../../src/adk/index.js"
import type { StateValueOf } from "../../src/compiler/index.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ChartStateValue } from "../../src/machines/contract/chart-state-value.js"
import type { EmittedEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { toMachine } from "../../src/runtime/index.js"
import type { ChartState } from "../../src/machines/contract/chart-machine.js"

const httpConfig = { url: "http://agents.test/", method: "POST" } as const
const llm = <const Id extends string>(id: Id) =>
  ({ type: "LlmAgent", id, httpConfig, outputKey: `${id}_text` }) as const

/** A workflow with every kind of container, and ids that are not state keys. */
const config = {
  rootAgentId: "line",
  agents: [
    {
      type: "SequentialAgent",
      id: "line",
      subAgents: [
        { agentId: "draft" },
        { agentId: "rounds" },
        { agentId: "both" },
        { agentId: "draft" },
        { agentId: "desk" },
      ],
    },
    llm("draft"),
    {
      type: "LoopAgent",
      id: "rounds",
      maxAgentLoopIterations: 2,
      subAgents: [{ agentId: "writer.1" }, { agentId: "critic" }],
    },
    llm("writer.1"),
    llm("critic"),
    { type: "ParallelAgent", id: "both", subAgents: [{ agentId: "done" }, { agentId: "rounds2" }] },
    llm("done"),
    {
      type: "LoopAgent",
      id: "rounds2",
      maxAgentLoopIterations: 1,
      subAgents: [{ agentId: "critic" }],
    },
    { ...llm("desk"), subAgents: [llm("billing"), { ...llm("7"), subAgents: [llm("desk_2")] }] },
  ],
} as const

const chart = compileOrThrow(config)

type RootState =
  | "boot"
  | "resting"
  | "done"
  | "exited"
  | "escalated"
  | "failed"
  | "limited"
  | "stopped"

/** Returns the paths of the states in which a machine can be after an event. */
function restingPaths(states: Readonly<Record<string, ChartState>>, inBranch = false): string[] {
  return Object.entries(states).flatMap(([key, state]) => {
    if (state.tags?.includes("choice") === true) return []
    if (state.type === "final") return inBranch ? [key] : []
    const below = restingPaths(state.states ?? {}, state.tags?.includes("branch"))
    return [key, ...below.map((path) => `${key}.${path}`)]
  })
}

const never = { call: () => Promise.reject(new Error("not called")) }

describe("the type of the state values of a literal config", () => {
  test("contains exactly the agent states of the chart", () => {
    const { boot: _, ...states } = chart.machines[chart.root]?.states ?? {}
    // The keys of this record are the paths in the type: TypeScript reports missing and additional ones.
    const typed: Record<Exclude<StateValueOf<typeof config> & string, RootState>, true> = {
      line: true,
      "line.draft": true,
      "line.draft_2": true,
      "line.rounds": true,
      "line.rounds.writer_1": true,
      "line.rounds.critic": true,
      "line.both": true,
      "line.both.done_2": true,
      "line.both.done_2.done": true,
      "line.both.done_2.escalated": true,
      "line.both.done_2.failed": true,
      "line.both.done_2.done_2": true,
      "line.both.rounds2": true,
      "line.both.rounds2.done": true,
      "line.both.rounds2.escalated": true,
      "line.both.rounds2.failed": true,
      "line.both.rounds2.rounds2": true,
      "line.both.rounds2.rounds2.critic": true,
      "line.desk": true,
      "line.desk.desk": true,
      "line.desk.billing": true,
      "line.desk.a_7": true,
      "line.desk.desk_2": true,
    }
    // The type has every possible end of a branch. The chart omits ends that no agent reaches.
    const reached = new Set(restingPaths(states))
    const ends = /^line\.both\.[^.]+\.(done|escalated|failed)$/
    expect([...reached].sort()).toEqual(
      Object.keys(typed)
        .filter((path) => reached.has(path) || !ends.test(path))
        .sort(),
    )
  })

  test("makes snapshot.matches accept state values and paths, and reject wrong names", () => {
    const machine = toMachine(chart, { http: { model: never, tool: never } })
    const snapshot = createActor(machine, { input: { prompt: "Go." } }).getSnapshot()
    expect(snapshot.matches("line.rounds.critic")).toBe(false)
    expect(snapshot.matches({ line: { rounds: "critic" } })).toBe(false)
    expect(snapshot.matches({ line: "rounds" })).toBe(false)
    expect(snapshot.matches("boot")).toBe(true)
    // @ts-expect-error: no state has this name
    snapshot.matches("line.rounds.critik")
    // @ts-expect-error: "critic" is inside "rounds"
    snapshot.matches({ line: "critic" })
    // @ts-expect-error: no state has this name
    snapshot.matches({ lin: "draft" })
  })

  test("is inferred for workflows that are built with the builder", () => {
    const built = new GraphCompose()
      .adk("loop")
      .withWorkflow((builder) =>
        builder
          .rootAgent("rounds")
          .agent(
            createLoopAgent({
              id: "rounds",
              maxAgentLoopIterations: 2,
              subAgents: [{ agentId: "writer" }, { agentId: "critic" }],
            }),
          )
          .agent(createLlmAgent({ id: "writer", httpConfig }))
          .agent(createSequentialAgent({ id: "critic", subAgents: [{ agentId: "writer" }] }))
          .build(),
      )
      .withInitialPrompt("Go.")
      .end()
    const machine = toMachine(compileOrThrow(built.toConfig()))
    type Snapshot = SnapshotFrom<typeof machine>
    const check = (snapshot: Snapshot): boolean => {
      // @ts-expect-error: no state has this name
      snapshot.matches("rounds.reviewer")
      return snapshot.matches({ rounds: "writer" }) || snapshot.matches("rounds.critic.writer")
    }
    expect(check.length).toBe(1)
  })

  test("is any state value if the config is not literal", () => {
    expectTypeOf<StateValueOf<object>>().toEqualTypeOf<ChartStateValue>()
    expectTypeOf<StateValueOf<string>>().toEqualTypeOf<ChartStateValue>()
    const loose = { rootAgentId: "a", agents: [{ type: "LlmAgent", id: "a", model: "any" }] }
    expectTypeOf(compileOrThrow(loose)).toEqualTypeOf<AgentChart>()
    expectTypeOf(chart).toExtend<AgentChart>()
  })

  test("contains the states of callbacks and custom agents", () => {
    type Value = StateValueOf<{
      readonly rootAgentId: "a"
      readonly agents: readonly [
        {
          readonly type: "SequentialAgent"
          readonly name: "a"
          readonly beforeAgentCallback: "log"
          readonly subAgents: readonly [{ readonly agentId: "b" }]
        },
        { readonly type: "CustomAgent"; readonly name: "b" },
      ]
    }>
    expectTypeOf<"a.beforeAgent">().toExtend<Value>()
    expectTypeOf<"a.a.b.thinking">().toExtend<Value>()
    expectTypeOf<{ readonly a: { readonly a: { readonly b: "thinking" } } }>().toExtend<Value>()
    expectTypeOf<"a.b">().not.toExtend<Value>()
  })
})

describe("a machine with a literal chart under strict types", () => {
  test("has types for its input, output, messages and emitted events", () => {
    const parent = setup({ actors: { planner: toMachine(chart) } }).createMachine({
      initial: "planning",
      states: {
        planning: {
          invoke: {
            id: "planner",
            src: "planner",
            input: { prompt: "Go.", state: { city: "Rome" } },
            onSnapshot: {
              guard: ({ event }) => event.snapshot.matches("line.draft"),
            },
            onDone: {
              target: "done",
              actions: ({ event }) => expectTypeOf(event.output).toEqualTypeOf<RunResult>(),
            },
          },
        },
        done: {},
      },
    })
    expect(parent.root.states["planning"]?.invoke).toHaveLength(1)
    setup({ actors: { planner: toMachine(chart) } }).createMachine({
      // @ts-expect-error: the input of a run has no field "promt"
      invoke: { src: "planner", input: { promt: "Go." } },
    })
    const actor = createActor(toMachine(chart))
    actor.on("human.asked", (event) =>
      expectTypeOf(event).toExtend<Extract<EmittedEvent, { type: "human.asked" }>>(),
    )
    // @ts-expect-error: no event has this type
    actor.on("human.azked", () => {})
    const send = (): void => {
      actor.send({ type: "say", content: "More." })
      // @ts-expect-error: the message "answer" needs an id
      actor.send({ type: "answer", value: 1 })
    }
    expect(send.length).toBe(0)
  })
})
