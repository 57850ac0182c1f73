// Measures how large a journal becomes. Uses no clock, so the result is the same on every machine.
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { createRunner } from "agent-statecharts/runtime"
import { inPlace, journals } from "./journals.mjs"
import { exponent, printTable } from "./measure.mjs"
import { services, workloads } from "./workloads.mjs"

/**
 * Returns the size of the run's files. Writes SQLite's log into the database first, because SQLite
 * reuses the log.
 */
function sizeOf(place) {
  const database = join(place, "runs.sqlite")
  if (!existsSync(database)) return statSync(join(place, "runs", "r.jsonl")).size
  const connection = new Database(database)
  connection.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  connection.close()
  return statSync(database).size
}

/**
 * Returns the size of a finished run, and the part of it that its start needs: the chart and the
 * input.
 */
async function play(chart, kind) {
  return inPlace(async (place) => {
    const journal = journals[kind](place)
    const { append } = journal
    let started = null
    const watched = {
      ...journal,
      append: (runId, record) => {
        started ??= sizeOf(place)
        return append(runId, record)
      },
    }
    const runner = createRunner({ ...services, journal: watched })
    const run = runner.start(chart, { runId: "r" })
    let events = 0
    run.events$.subscribe(() => events++)
    await run.result
    await runner.close()
    const { records } = await journal.load("r")
    journal.close?.()
    const bytes = sizeOf(place)
    return { bytes, recordBytes: bytes - started, records: records.length, events }
  })
}

/** Returns the sizes of each workload, and the exponent of the growth of its records. */
export async function journalGrowth({ sizes, kinds = ["JSONL", "SQLite"], print = true }) {
  const found = []
  for (const kind of kinds) {
    for (const [name, { chart }] of Object.entries(workloads)) {
      const points = []
      for (const n of sizes) {
        points.push({ n, ...(await play(chart(n), kind)) })
      }
      const last = points.at(-1)
      const k = exponent(points.map(({ records, recordBytes }) => [records, recordBytes]))
      found.push({
        kind,
        name,
        points,
        k,
        perRecord: last.recordBytes / last.records,
        perEvent: last.recordBytes / last.events,
      })
    }
  }
  if (print) {
    printTable(
      `What a journal takes on the disk, n = ${sizes.join(", ")}`,
      [
        "run",
        "journal",
        ...sizes.map((n) => `KB of records, n = ${n}`),
        "bytes a record",
        "bytes an event",
        "k in bytes ~ records^k",
      ],
      found.map(({ kind, name, points, k, perRecord, perEvent }) => [
        name,
        kind,
        ...points.map(({ recordBytes }) => recordBytes / 1000),
        perRecord,
        perEvent,
        k.toFixed(3),
      ]),
    )
    const worst = Math.max(...found.map(({ k }) => k))
    console.log(
      `\nThe largest k is ${worst.toFixed(3)}: ${worst <= 1.1 ? "bytes grow with the run, not with the square of the conversation" : "bytes grow faster than the run"}.`,
    )
    if (worst > 1.1) process.exitCode = 1
  }
  return found
}
