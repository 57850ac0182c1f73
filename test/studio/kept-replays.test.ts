import { expect, test } from "vitest"
import type { JournalHeader, JournalRecord, StoredRun } from "../../src/runtime/index.js"
import { createRunner, memoryJournal, runAt } from "../../src/runtime/index.js"
import { RunCursor } from "../../src/runtime/history/snapshot-at.js"
import { PastMachines } from "../../src/studio/server/machines/machine-view.js"
import { Snapshots } from "../../src/studio/server/studio-snapshot.js"
import { KeptReplays, keptReplays } from "../../src/studio/server/time/kept-replays.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, httpTool, llm, loop, parallel, sequence } from "../support/workflow.js"

/** Executes a run with `iterations` turns of a worker, next to an agent that calls a tool. */
async function longRun(iterations: number, runId = "r1"): Promise<StoredRun> {
  const journal = memoryJournal()
  const call = (n: number) => ({ id: `c${n}`, function_name: "search", function_args: { n } })
  const { http } = scriptedServices(
    {
      worker: Array.from({ length: iterations }, (_, n) => ({ content: `done ${n}` })),
      searcher: [
        ...Array.from({ length: 5 }, (_, n) => ({ content: null, toolCalls: [call(n)] })),
        { content: "found" },
      ],
      writer: [{ content: "A report." }],
    },
    { search: Array.from({ length: 5 }, (_, n) => ({ found: n })) },
  )
  const chart = chartOf(
    [
      sequence("pipeline", ["both", "writer"]),
      parallel("both", ["rounds", "searcher"]),
      loop("rounds", ["worker"], iterations),
      llm("worker", { outputKey: "work" }),
      llm("searcher", { tools: ["search"], outputKey: "found" }),
      llm("writer"),
    ],
    { globalTools: [httpTool("search")] },
  )
  await createRunner({ http, journal }).start(chart, { runId }).result
  const found = await journal.load(runId)
  if (found === null) throw new Error("The run is not stored.")
  return found
}

const cut = ({ header, records }: StoredRun, at: number): StoredRun => ({
  header,
  records: records.slice(0, at),
})

/** Returns positions in a run with `of` records: forward, backward and in jumps. */
function positions(of: number): readonly number[] {
  const steps = Array.from({ length: 8 }, (_, index) => index)
  const middle = Math.floor(of / 2)
  return [
    of,
    ...steps.map((step) => of - step),
    ...steps.map((step) => of - 8 + step),
    0,
    ...steps.map((step) => middle - step),
    ...steps.map((step) => middle + step),
    3,
    of - 1,
    5,
    of + 4,
  ]
}

test("a snapshot equals the snapshot of a new replay, for each order of positions", async () => {
  const run = await longRun(keptReplays.window)
  const kept = new Snapshots()
  const of = run.records.length
  expect(of).toBeGreaterThan(40)
  // The snapshots are compared at the end, because they must not change when the run continues.
  const found = positions(of).map((at) => ({ at, snapshot: kept.snapshot(run, { at }) }))
  for (const { at, snapshot } of found)
    expect(snapshot).toEqual(new Snapshots().snapshot(run, { at }))

  const counts = run.records.map((_, index) => runAt(run, { at: index + 1 }).events.length)
  counts.unshift(runAt(run, { at: 0 }).events.length)
  for (const seen of positions(counts.at(-1) ?? 0)) {
    const { at } = kept.snapshot(run, { seen })
    const first = counts.findIndex((count) => count >= seen)
    expect(at).toBe(first === -1 ? of : first)
    // A studio that has just started finds the same position.
    expect(new Snapshots().snapshot(run, { seen }).at).toBe(at)
  }
})

test("machines and their details equal the machines and details of a new replay", async () => {
  const run = await longRun(keptReplays.window)
  const kept = new PastMachines()
  const { records } = run
  const all = new PastMachines().read(run, records.length, { after: 0 })
  const [actor] = all !== null && "actors" in all ? all.actors.slice(-3) : []
  const queries = [{ after: 0 }, { after: 30 }, { actor: actor?.id ?? "" }]
  const found = positions(records.length).flatMap((at) =>
    queries.map((query) => ({ at, query, view: kept.read(run, at, query) })),
  )
  for (const { at, query, view } of found)
    expect(view).toEqual(new PastMachines().read(run, at, query))
  expect(found.some(({ view }) => view === null)).toBe(true)
  expect(found.some(({ view }) => view !== null && "waitsFor" in view)).toBe(true)
})

test("new records of a run are visible, and another run with the same id is replayed again", async () => {
  const run = await longRun(20)
  const kept = new Snapshots()
  for (const of of [3, 4, 9, 9, run.records.length]) {
    const soFar = cut(run, of)
    expect(kept.snapshot(soFar, {})).toEqual(new Snapshots().snapshot(soFar, {}))
    expect(kept.snapshot(soFar, { at: 2 })).toEqual(new Snapshots().snapshot(soFar, { at: 2 }))
  }
  const other = await longRun(10)
  expect(kept.snapshot(other, {})).toEqual(new Snapshots().snapshot(other, {}))
  expect(kept.snapshot(other, {})).not.toEqual(new Snapshots().snapshot(run, {}))
})

/** A cursor that counts the replays and the records that they process. */
function countingReplays() {
  const counted = { starts: 0, records: 0, reads: 0 }
  class CountingCursor extends RunCursor {
    constructor(header: JournalHeader) {
      super(header, [])
      counted.starts++
    }
    override advance(records: readonly JournalRecord[]): void {
      counted.records += records.length
      super.advance(records)
    }
  }
  const replays = new KeptReplays({
    start: (header) => new CountingCursor(header),
    read: (cursor, _query: null) => {
      counted.reads++
      return cursor.read().seen
    },
  })
  return { counted, replays }
}

test("steps forward process each record once", async () => {
  const run = await longRun(100)
  const of = run.records.length
  const { counted, replays } = countingReplays()
  for (let at = 0; at <= of; at++) replays.view(run, at, null)
  expect(counted).toEqual({ starts: 1, records: of, reads: of + 1 })
})

test("steps backward replay the run once for each window of positions", async () => {
  const run = await longRun(100)
  const of = run.records.length
  const steps = 2 * keptReplays.window
  const { counted, replays } = countingReplays()
  for (let step = 0; step <= steps; step++) replays.view(run, of - step, null)
  expect(counted).toMatchObject({ starts: 3, reads: 1 + steps })
  // These positions were read before.
  for (let step = steps; step >= 0; step--) replays.view(run, of - step, null)
  expect(counted).toMatchObject({ starts: 3, reads: 1 + steps })
  // The first replay has counted the events after each record.
  const events = runAt(run).events.length
  for (let seen = 1; seen <= events; seen++) replays.positionOf(run, seen)
  expect(counted.starts).toBe(3)
})

test("the replays of the runs that were shown first are discarded", async () => {
  const { counted, replays } = countingReplays()
  const runs = await Promise.all(
    Array.from({ length: keptReplays.runs + 1 }, (_, n) => longRun(3, `r${n}`)),
  )
  for (const run of runs) replays.view(run, 1, null)
  expect(counted.starts).toBe(runs.length)
  for (const run of runs.slice(1)) replays.view(run, 2, null)
  expect(counted.starts).toBe(runs.length)
  for (const run of runs.slice(0, 1)) replays.view(run, 2, null)
  expect(counted.starts).toBe(runs.length + 1)
})
