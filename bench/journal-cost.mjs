// Measures the cost of journals: the same run with each journal in turn, relative to the journal in
// memory.
import { createRunner } from "agent-statecharts/runtime"
import { inPlace, journals } from "./journals.mjs"
import { measure, median, printTable } from "./measure.mjs"
import { services, workloads } from "./workloads.mjs"

/** Executes one run with a subscriber to its events. */
async function play(chart, journal) {
  const runner = createRunner({ ...services, journal })
  const run = runner.start(chart, { runId: "r" })
  let events = 0
  run.events$.subscribe(() => events++)
  const { status, error } = await run.result
  if (status !== "completed") throw new Error(`${status}: ${error?.message}`)
  await runner.close()
  return events
}

export async function journalCost({ rounds }) {
  const rows = []
  for (const [name, { n, chart: chartFor }] of Object.entries(workloads)) {
    const chart = chartFor(n)
    const taken = Object.fromEntries(Object.keys(journals).map((kind) => [kind, []]))
    let [events, records] = [0, 0]
    // The journals alternate, so that other load on the machine affects all of them. The first
    // rounds are a warm-up.
    for (let round = -2; round < rounds; round++) {
      for (const [kind, open] of Object.entries(journals)) {
        await inPlace(async (place) => {
          const journal = open(place)
          const { value, ...took } = await measure(() => play(chart, journal))
          if (round >= 0) taken[kind].push(took)
          events = value
          records = (await journal.load("r")).records.length
          journal.close?.()
        })
      }
    }
    const middle = (kind, of) => median(taken[kind].map((took) => took[of]))
    const [cpu, wall] = [middle("memory", "cpu"), middle("memory", "wall")]
    for (const kind of Object.keys(journals)) {
      const [more, longer] = [
        (middle(kind, "cpu") - cpu) * 1000,
        (middle(kind, "wall") - wall) * 1000,
      ]
      rows.push([
        `${name}, ${n}`,
        kind,
        events,
        records,
        middle(kind, "cpu") / cpu,
        middle(kind, "wall") / wall,
        more / records,
        more / events,
        longer / records,
      ])
    }
  }
  printTable(
    "What a journal costs, against the one in memory",
    [
      "run",
      "journal",
      "events",
      "records",
      "CPU, ratio",
      "wall, ratio",
      "CPU µs more a record",
      "CPU µs more an event",
      "wall µs more a record",
    ],
    rows,
  )
}
