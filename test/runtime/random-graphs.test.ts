import * as fc from "fast-check"
import { createActor } from "xstate"
import { expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/agent-chart.js"
import type { Announcement, RunResult } from "../../src/machines/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal.js"
import type { RunnerOptions } from "../../src/runtime/runner.js"
import { createRunner } from "../../src/runtime/runner.js"
import { simulatedClock } from "../support/simulated-clock.js"

interface RandomGraph {
  readonly chart: AgentChart
  /** How long each node takes, by its number. */
  readonly pace: readonly number[]
  readonly failing: number | null
}

const nodes = fc.integer({ min: 2, max: 8 })

/** Edges from lower to higher nodes, so that nothing goes round; some nodes choose a route; some ways back, where asked for. */
const randomGraph = (cyclic: boolean): fc.Arbitrary<RandomGraph> =>
  nodes.chain((count) =>
    fc
      .record({
        kinds: fc.array(fc.constantFrom("llm", "llm", "join", "router", "function"), { minLength: count, maxLength: count }),
        starts: fc.subarray(Array.from({ length: Math.min(3, count) }, (_, index) => index), { minLength: 1 }),
        pairs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom("always", "yes", "no")), { minLength: count, maxLength: count * 2 }),
        pace: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: count, maxLength: count }),
        failing: fc.option(fc.nat(count - 1), { freq: 5 }),
        append: fc.boolean(),
      })
      .map(({ kinds, starts, pairs, pace, failing, append }) => ({ chart: chartOf(kinds, starts, pairs.filter(([from, to]) => from < to || (cyclic && from !== to)), append), pace, failing })),
  )

function chartOf(kinds: readonly string[], starts: readonly number[], pairs: readonly (readonly [number, number, string])[], append: boolean): AgentChart {
  const edges = [
    ...starts.map((node) => ["START", `n${node}`]),
    ...pairs.map(([from, to, route]) => ({ from: `n${from}`, to: `n${to}`, ...(kinds[from] === "router" && route !== "always" ? { route } : {}) })),
    // Whatever a router chooses, there is a way.
    ...kinds.flatMap((kind, from) => (kind === "router" ? [{ from: `n${from}`, routes: {}, default: "last" }] : [])).map(({ from, default: to }) => ({ from, to, route: "default" })),
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
      agents: [{ type: "Workflow", name: "graph", edges, maxIterations: 3 }, { type: "JoinNode", name: "last" }, ...agents],
      initialUserInput: "go",
      state: { count: 0 },
      stateMerge: { count: "max", ...(append ? { key_0: "append", key_1: "union" } : {}) },
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

function servicesOf({ failing, pace }: RandomGraph, turned: number, clock = simulatedClock()): { readonly options: RunnerOptions; readonly clock: ReturnType<typeof simulatedClock> } {
  const m = {
    call: ({ agent, path }: { readonly agent: string; readonly path: string }) =>
      new Promise<unknown>((resolve, reject) => {
        const index = Number(agent.slice(1))
        const takes = (pace[(index + turned) % pace.length] ?? 1) * 100 + index
        clock.wakeAt(clock.now() + takes, () => (index === failing ? reject(new Error("no")) : resolve({ content: path })))
      }),
  }
  const services = {
    choose: (_: unknown, input: unknown) => (JSON.stringify(input).length % 2 === 0 ? "yes" : "no"),
    count: ({ state }: { readonly state: { get(key: string): unknown; set(key: string, value: unknown): void } }, input: unknown) => {
      state.set("count", (state.get("count") as number) + 1)
      return { seen: input }
    },
  }
  return { options: { models: { m }, services, clock }, clock }
}

interface Played {
  readonly result: RunResult
  readonly events: readonly unknown[]
  readonly journal: StoredRun | null
}

const plain = ({ at: _at, seq: _seq, runId: _runId, ...event }: Record<string, unknown>): unknown => JSON.parse(JSON.stringify(event))

async function byRun(graph: RandomGraph, turned = 0): Promise<Played> {
  const { options, clock } = servicesOf(graph, turned)
  const journal = memoryJournal()
  const run = createRunner({ ...options, journal }).start(graph.chart, { runId: "r" })
  const events: unknown[] = []
  run.events$.subscribe((event) => {
    if (event.type !== "run.started" && event.type !== "run.finished") events.push(plain(event as unknown as Record<string, unknown>))
  })
  await clock.runUntilIdle()
  return { result: run.snapshot(), events, journal: journal.toJSON()["r"] ?? null }
}

async function byActor(graph: RandomGraph): Promise<Played> {
  const { options, clock } = servicesOf(graph, 0)
  const events: unknown[] = []
  const onEvent = (event: Announcement): void => void events.push(plain(event as unknown as Record<string, unknown>))
  const actor = createActor(toMachine(graph.chart, { ...options, onEvent }), { input: { runId: "r" } })
  actor.start()
  await clock.runUntilIdle()
  return { result: controlActor(actor).snapshot(), events, journal: null }
}

const settled = ["completed", "failed", "limit"]
const runs = Number(process.env["PROPERTY_RUNS"] ?? 150)

test("both interpreters run random graphs alike, cycles included", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(true), async (graph) => {
      const [one, other] = [await byRun(graph), await byActor(graph)]
      expect(settled).toContain(one.result.status)
      expect(other.result).toEqual(one.result)
      expect(other.events).toEqual(one.events)
    }),
    { numRuns: runs },
  )
}, 120_000)

test("what a graph without cycles comes to does not depend on which node is faster", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(false), fc.nat(7), async (graph, turned) => {
      // A failure ends the graph at once, and what has finished by then depends on the time.
      const sound = { ...graph, failing: null }
      const [one, other] = [await byRun(sound), await byRun(sound, turned)]
      expect(settled).toContain(one.result.status)
      if (one.result.status !== "completed") return
      expect(other.result).toEqual(one.result)
    }),
    { numRuns: runs },
  )
}, 120_000)

test("a graph is taken up again anywhere in its journal and comes to the same", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(true), fc.double({ min: 0, max: 1, noNaN: true }), async (graph, part) => {
      const whole = await byRun(graph)
      if (whole.journal === null) return
      const { header, records } = whole.journal
      const stored = JSON.parse(JSON.stringify({ r: { header, records: records.slice(0, Math.floor(part * records.length)) } })) as Record<string, StoredRun>
      const { options, clock } = servicesOf(graph, 0, simulatedClock(records.at(-1)?.at(-1) as number | undefined))
      const run = await createRunner({ ...options, journal: memoryJournal(stored) }).resume("r")
      await clock.runUntilIdle()
      expect(settled).toContain(run.snapshot().status)
      if (whole.result.status === "completed" && graph.failing === null) expect(run.snapshot().state).toEqual(whole.result.state)
    }),
    { numRuns: runs },
  )
}, 120_000)
