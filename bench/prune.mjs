// Measures how long it takes to delete many ended runs, and how much smaller the journal becomes.
import { statSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
import { createRunner, memoryJournal, pruneRuns } from "agent-statecharts/runtime"
import { inPlace } from "./journals.mjs"
import { measure, printTable } from "./measure.mjs"
import { services, workloads } from "./workloads.mjs"

/** Number of runs that are stored at the same time. */
const groupSize = 1_000

/** Returns a completed run of three agents with its records. */
async function endedRun() {
  const journal = memoryJournal()
  const runner = createRunner({ ...services, journal })
  await runner.start(workloads.sequence.chart(3), { runId: "r" }).result
  await runner.close()
  return journal.load("r")
}

/** Stores copies of a run. They have ended if `status` is not `running`. */
async function storeRuns(journal, { header, records }, { count, prefix, status }) {
  for (let stored = 0; stored < count; stored += groupSize)
    await Promise.all(
      Array.from({ length: Math.min(groupSize, count - stored) }, async (_, index) => {
        const runId = `${prefix}-${stored + index}`
        const input = { ...header.input, prompt: `Begin ${runId}.` }
        await journal.store(
          { header: { ...header, runId, input }, records },
          { status, pending: [], at: 1_000 },
        )
        await journal.release(runId)
      }),
    )
}

async function measurePrune({ journal, size, ended, open }) {
  const run = await endedRun()
  await storeRuns(journal, run, { count: open, prefix: "open", status: "running" })
  await storeRuns(journal, run, { count: ended, prefix: "ended", status: "completed" })
  const before = await size()
  const pruned = await measure(() => pruneRuns(journal, { endedBefore: 2_000 }))
  const compacted = await measure(() => journal.compact())
  const after = await size()
  const left = await journal.list()
  if (pruned.value.runIds.length !== ended || left.length !== open)
    throw new Error(`${pruned.value.runIds.length} runs were deleted, and ${left.length} are left`)
  for (const { runId } of left)
    if ((await journal.load(runId))?.records.length !== run.records.length)
      throw new Error(`the open run ${runId} was changed`)
  await journal.close()
  return { pruned, compacted, before, after }
}

/** Imports the TypeScript module that starts PostgreSQL for tests. */
async function importPostgres() {
  const input = new URL("../test/support/postgres.ts", import.meta.url).pathname
  const bundle = await rolldown({ input, platform: "node" })
  const { output } = await bundle.generate({ format: "esm" })
  await bundle.close()
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}

async function inPostgres(options) {
  const { programs, startPostgres, whyNot } = await importPostgres()
  if (programs === null) return void console.log(`Not measured: ${whyNot}`)
  const { postgresJournal } = await import("agent-statecharts/adapters/journal/postgres")
  const postgres = await startPostgres({ fsync: true })
  try {
    postgres.queryIn("postgres", "CREATE DATABASE agents")
    const size = () => Number(postgres.query("SELECT pg_database_size('agents')"))
    const empty = size()
    return await measurePrune({
      ...options,
      journal: postgresJournal(postgres.url),
      size: () => size() - empty,
    })
  } finally {
    await postgres.stop()
  }
}

const inSqlite = (options) =>
  inPlace((place) => {
    const file = join(place, "runs.sqlite")
    const size = () => statSync(file).size
    return measurePrune({ ...options, journal: sqliteJournal(file), size })
  })

/**
 * Deletes `ended` runs from journals that also contain `open` runs. Returns false if the deletion
 * takes longer than a minute, or if a journal does not become smaller by 90 %.
 */
export async function pruneCost({ ended, open }) {
  const rows = []
  let isReached = true
  for (const [kind, act] of [
    ["SQLite", inSqlite],
    ["PostgreSQL", inPostgres],
  ]) {
    const result = await act({ ended, open })
    if (result === undefined) continue
    const { pruned, compacted, before, after } = result
    if (pruned.wall + compacted.wall > 60_000 || after > before / 10) isReached = false
    rows.push([
      kind,
      ...[pruned, compacted].flatMap(({ cpu, wall }) => [cpu / 1_000, wall / 1_000]),
      before / 1e6,
      after / 1e6,
      `${(100 * (1 - after / before)).toFixed(1)} %`,
    ])
  }
  printTable(
    `Deletion of ${ended} ended runs, with ${open} open runs`,
    [
      "journal",
      "pruneRuns, CPU s",
      "pruneRuns, s",
      "compact, CPU s",
      "compact, s",
      "MB before",
      "MB after",
      "smaller by",
    ],
    rows,
  )
  return isReached
}
