import * as fc from "fast-check"
import { createActor } from "xstate"
import { expect, test } from "vitest"
import type { EmittedEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { RandomGraph } from "../support/random-graph.js"
import { randomGraph, servicesOf } from "../support/random-graph.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { randomCases } from "../support/random-cases.js"

interface Played {
  readonly result: RunResult
  readonly events: readonly unknown[]
  readonly journal: StoredRun | null
}

const plain = ({ at: _at, seq: _seq, runId: _runId, ...event }: Record<string, unknown>): unknown =>
  JSON.parse(JSON.stringify(event))

async function byRun(graph: RandomGraph, turned = 0): Promise<Played> {
  const { options, clock } = servicesOf(graph, turned)
  const journal = memoryJournal()
  const run = createRunner({ ...options, journal }).start(graph.chart, { runId: "r" })
  const events: unknown[] = []
  run.events$.subscribe((event) => {
    if (event.type !== "run.started" && event.type !== "run.finished")
      events.push(plain(event as unknown as Record<string, unknown>))
  })
  await clock.runUntilIdle()
  return { result: run.snapshot(), events, journal: journal.toJSON()["r"] ?? null }
}

async function byActor(graph: RandomGraph): Promise<Played> {
  const { options, clock } = servicesOf(graph, 0)
  const events: unknown[] = []
  const onEvent = (event: EmittedEvent): void =>
    void events.push(plain(event as unknown as Record<string, unknown>))
  const actor = createActor(toMachine(graph.chart, { ...options, onEvent }), {
    input: { runId: "r" },
  })
  actor.start()
  await clock.runUntilIdle()
  return { result: controlActor(actor).snapshot(), events, journal: null }
}

/** Whether a node may end the run with `exitFlow`. */
const leaves = ({ exitScope, exiting }: RandomGraph): boolean =>
  exitScope === "workflow" && exiting !== null

const isAnswer = (event: unknown): boolean =>
  (event as { readonly type: string }).type === "model.responded"

const settled = ["completed", "failed", "limit"]
const runs = randomCases(150)

test("both interpreters have the same results and events for random graphs with cycles", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(true), async (graph) => {
      const [one, other] = [await byRun(graph), await byActor(graph)]
      expect(settled).toContain(one.result.status)
      expect(other.result).toEqual(one.result)
      expect(other.events).toEqual(one.events)
    }),
    { numRuns: runs },
  )
})

test("the result of a graph without cycles does not depend on the speed of its nodes", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(false), fc.nat(7), async (graph, turned) => {
      // A failure or an exit ends the graph immediately, so the finished nodes depend on the timing.
      const exiting = graph.exitScope === "agent" ? graph.exiting : null
      const sound = { ...graph, failing: null, exiting }
      const [one, other] = [await byRun(sound), await byRun(sound, turned)]
      expect(settled).toContain(one.result.status)
      if (one.result.status !== "completed") return
      expect(other.result).toEqual(one.result)
    }),
    { numRuns: runs },
  )
})

test("with the exit scope agent, exitFlow of a node changes only the outcome of its turn", async () => {
  const within = randomGraph(true).filter(({ exitScope }) => exitScope === "agent")
  await fc.assert(
    fc.asyncProperty(within, async (graph) => {
      const [one, other] = [await byRun(graph), await byRun({ ...graph, exiting: null })]
      expect(one.result).toEqual(other.result)
      const isExit = (event: unknown) => (event as { outcome?: string }).outcome === "exited"
      expect(one.events.filter((event) => !isExit(event) && !isAnswer(event))).toEqual(
        other.events.filter(
          (_, index) => !isExit(one.events[index]) && !isAnswer(one.events[index]),
        ),
      )
    }),
    { numRuns: runs },
  )
})

test("a graph that is resumed at any record has the same result", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomGraph(true),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (graph, part) => {
        const whole = await byRun(graph)
        if (whole.journal === null) return
        const { header, records } = whole.journal
        const stored = JSON.parse(
          JSON.stringify({
            r: { header, records: records.slice(0, Math.floor(part * records.length)) },
          }),
        ) as Record<string, StoredRun>
        const { options, clock } = servicesOf(
          graph,
          0,
          simulatedClock(records.at(-1)?.at(-1) as number | undefined),
        )
        const run = await createRunner({ ...options, journal: memoryJournal(stored) }).resume("r")
        await clock.runUntilIdle()
        expect(settled).toContain(run.snapshot().status)
        if (whole.result.status === "completed" && graph.failing === null && !leaves(graph))
          expect(run.snapshot().state).toEqual(whole.result.state)
      },
    ),
    { numRuns: runs },
  )
})
