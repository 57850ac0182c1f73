// Measures many runs at once. If a journal supports it, the records of one event-loop turn are
// written together.
import { createRunner } from "agent-statecharts/runtime"
import { inPlace, journals } from "./journals.mjs"
import { measure, median, printTable } from "./measure.mjs"
import { services, workloads } from "./workloads.mjs"

/**
 * Executes runs of a sequence of three agents, `atOnce` at a time, with one runner and one
 * subscriber per run.
 */
export async function manyRuns({ atOnce, rounds }) {
  const chart = workloads.sequence.chart(3)
  const rows = []
  for (const [kind, open] of Object.entries(journals)) {
    await inPlace(async (place) => {
      const journal = open(place)
      const runner = createRunner({ ...services, journal })
      const all = async () => {
        const results = Array.from({ length: atOnce }, () => {
          const run = runner.start(chart)
          run.events$.subscribe(() => {})
          return run.result
        })
        for (const { status, error } of await Promise.all(results))
          if (status !== "completed") throw new Error(`${status}: ${error?.message}`)
      }
      const taken = []
      for (let round = -2; round < rounds; round++) {
        const took = await measure(all)
        if (round >= 0) taken.push(took)
      }
      const middle = (of) => median(taken.map((took) => took[of]))
      rows.push([
        kind,
        Math.round((atOnce * 1000) / middle("cpu")),
        Math.round((atOnce * 1000) / middle("wall")),
        (middle("cpu") * 1000) / atOnce,
      ])
      await runner.close()
      journal.close?.()
    })
  }
  printTable(
    `Runs of three agents, ${atOnce} at once`,
    ["journal", "runs a second of CPU", "runs a second", "CPU µs a run"],
    rows,
  )
}
