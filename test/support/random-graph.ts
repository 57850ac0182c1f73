import * as fc from "fast-check"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { simulatedClock } from "./simulated-clock.js"

export interface RandomGraph {
  readonly chart: AgentChart
  /** The duration of each node, by its number. */
  readonly pace: readonly number[]
  readonly failing: number | null
  /** The node whose model answers with `exitFlow`. */
  readonly exiting: number | null
  readonly exitScope: "workflow" | "agent"
}

const nodes = fc.integer({ min: 2, max: 8 })

/** Generates graphs with edges from lower to higher nodes. Some nodes select a route. If `cyclic` is true, some edges lead back. */
export const randomGraph = (cyclic: boolean): fc.Arbitrary<RandomGraph> =>
  nodes.chain((count) =>
    fc
      .record({
        kinds: fc.array(fc.constantFrom("llm", "llm", "join", "router", "function"), {
          minLength: count,
          maxLength: count,
        }),
        starts: fc.subarray(
          Array.from({ length: Math.min(3, count) }, (_, index) => index),
          { minLength: 1 },
        ),
        pairs: fc.array(
          fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom("always", "yes", "no")),
          { minLength: count, maxLength: count * 2 },
        ),
        pace: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: count, maxLength: count }),
        failing: fc.option(fc.nat(count - 1), { freq: 5 }),
        exiting: fc.option(fc.nat(count - 1), { freq: 2 }),
        exitScope: fc.constantFrom("workflow", "agent"),
        append: fc.boolean(),
      })
      .map(({ kinds, starts, pairs, append, exitScope, ...others }) => ({
        chart: chartOf(
          kinds,
          starts,
          pairs.filter(([from, to]) => from < to || (cyclic && from !== to)),
          append,
          exitScope,
        ),
        exitScope,
        ...others,
      })),
  )

function chartOf(
  kinds: readonly string[],
  starts: readonly number[],
  pairs: readonly (readonly [number, number, string])[],
  append: boolean,
  subAgentExitFlow: RandomGraph["exitScope"],
): AgentChart {
  const edges = [
    ...starts.map((node) => ["START", `n${node}`]),
    ...pairs.map(([from, to, route]) => ({
      from: `n${from}`,
      to: `n${to}`,
      ...(kinds[from] === "router" && route !== "always" ? { route } : {}),
    })),
    // Each router has a default route, so every result has an edge.
    ...kinds
      .flatMap((kind, from) =>
        kind === "router" ? [{ from: `n${from}`, routes: {}, default: "last" }] : [],
      )
      .map(({ from, default: to }) => ({ from, to, route: "default" })),
  ]
  const agents = kinds.map((kind, index) => {
    const name = `n${index}`
    if (kind === "join") return { type: "JoinNode", name }
    if (kind === "router") return { type: "RouterNode", name, service: "choose" }
    if (kind === "function") return { type: "FunctionNode", name, service: "count" }
    return { type: "LlmAgent", name, model: "m", instruction: "i", outputKey: `key_${index % 3}` }
  })
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "graph",
      agents: [
        { type: "Workflow", name: "graph", edges, maxIterations: 3 },
        { type: "JoinNode", name: "last" },
        ...agents,
      ],
      initialUserInput: "go",
      state: { count: 0 },
      subAgentExitFlow,
      stateMerge: { count: "max", ...(append ? { key_0: "append", key_1: "union" } : {}) },
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

export function servicesOf(
  { failing, exiting, pace }: RandomGraph,
  turned: number,
  clock = simulatedClock(),
): { readonly options: RunnerOptions; readonly clock: ReturnType<typeof simulatedClock> } {
  const m = {
    call: ({ agent, path }: { readonly agent: string; readonly path: string }) =>
      new Promise<unknown>((resolve, reject) => {
        const index = Number(agent.slice(1))
        const takes = (pace[(index + turned) % pace.length] ?? 1) * 100 + index
        clock.wakeAt(clock.now() + takes, () =>
          index === failing
            ? reject(new Error("no"))
            : resolve({ content: path, exitFlow: index === exiting }),
        )
      }),
  }
  const services = {
    choose: (_: unknown, input: unknown) => (JSON.stringify(input).length % 2 === 0 ? "yes" : "no"),
    count: (
      {
        state,
      }: { readonly state: { get(key: string): unknown; set(key: string, value: unknown): void } },
      input: unknown,
    ) => {
      state.set("count", (state.get("count") as number) + 1)
      return { seen: input }
    },
  }
  return { options: { models: { m }, services, clock }, clock }
}
