import { AgentStatechartsError } from "../../../errors.js"
import type { AgentChart } from "../../../machines/agent-chart.js"
import { runExists, runLost, runOwned } from "../../../runtime/journal-refusals.js"
import type { CompleteJournal, JournalHeader, JournalRecord, RunStanding, RunSummary } from "../../../runtime/journal.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { journalFailed } from "../journal-failed.js"
import type { LeaseOptions } from "../owner.js"
import { ownerWords } from "../owner.js"
import { DatabaseLeases } from "./database-leases.js"
import { KeptCharts } from "./kept-charts.js"
import type { RunRow } from "./schema.js"
import { schema, statements } from "./schema.js"

export interface SqliteJournal extends CompleteJournal {
  /** All runs, the oldest first, or those that stood in this way: `list({ status: "waiting" })` are those that wait for somebody. */
  list(of?: { readonly status?: RunStanding["status"] }): readonly RunSummary[]
  /** Lets go of all runs and ends the connection. */
  close(): void
}

export interface SqliteJournalOptions extends LeaseOptions {
  /** How long a write waits for those of other processes; default 5 seconds. */
  readonly busyTimeoutMs?: number
}

/**
 * Keeps many runs in one file of SQLite; several processes may share it. A record is acknowledged when it is committed, which
 * is when the disk has it. Nothing is stored for a run that was lost to another owner.
 *
 * @example
 * const journal = sqliteJournal("runs.sqlite")
 * const runner = createRunner({ journal })
 */
export function sqliteJournal(file: string, options: SqliteJournalOptions = {}): SqliteJournal {
  const typed = <Value>(act: () => Value): Value => {
    try {
      return act()
    } catch (error) {
      throw journalFailed(`the journal ${file} failed`, error)
    }
  }
  const database = typed(() => openDatabase(file, { schema, statements, busyTimeoutMs: options.busyTimeoutMs ?? 5000 }))
  const { prepared, atOnce, atOneMoment } = database
  const leases = new DatabaseLeases(database, options)
  const charts = new KeptCharts(database)

  const headerOf = (stored: string, runId: string): JournalHeader => {
    const id = text(runId)
    const header = parse(stored, `the header of run ${id} in ${file}`) as Omit<JournalHeader, "chart" | "runId"> & { readonly chart: string | AgentChart }
    // As it was stored before charts had a place of their own.
    if (typeof header.chart !== "string") return { ...header, runId, chart: header.chart }
    const chart = charts.read(header.chart)
    if (chart === undefined) throw new AgentStatechartsError("journal_corrupt", `the chart of run ${id} is missing in ${file}`)
    return { ...header, runId, chart: parse(chart, `the chart of run ${id} in ${file}`) as AgentChart }
  }

  const summaryOf = (row: RunRow): RunSummary => {
    const owner = row.owner === null ? null : leases.owner(row.owner)
    return {
      runId: parse(row.id, `the id of a run in ${file}`) as string,
      chart: parse(row.chart, `a chart's id in ${file}`) as string,
      startedAt: row.started_at,
      // What was written here came from a standing of the same form.
      status: row.status as RunSummary["status"],
      pending: parse(row.pending, `what run ${row.id} waits for in ${file}`) as RunSummary["pending"],
      owner: owner === null ? null : ownerWords(owner),
    }
  }

  return {
    create: (header) =>
      typed(() => {
        const id = text(header.runId)
        if (leases.holds(id)) throw runExists(header.runId)
        try {
          const hash = atOnce(() => {
            const { changes } = prepared.create.run(id, text(header.chart.id), header.at, leases.token)
            if (changes === 0) throw runExists(header.runId)
            const chart = charts.keep(header.chart)
            prepared.keepHeader.run(id, text({ ...header, runId: undefined, chart }))
            leases.hold(id)
            return chart
          })
          charts.isStored(hash)
        } catch (error) {
          leases.lose(id)
          throw error
        }
      }),

    append: (runId, record) =>
      typed(() => {
        const id = text(runId)
        atOnce(() => {
          const row = prepared.count.get(id, leases.token) as { readonly records: number } | undefined
          if (row === undefined) throw runLost(runId)
          prepared.append.run(id, row.records - 1, text(record))
        })
      }),

    load: (runId) =>
      typed(() =>
        atOneMoment(() => {
          const id = text(runId)
          const row = prepared.header.get(id) as { readonly header: string } | undefined
          if (row === undefined) return null
          const rows = prepared.records.all(id) as readonly { readonly record: string }[]
          return {
            header: headerOf(row.header, runId),
            records: rows.map(({ record }, n) => parse(record, `record ${n} of run ${id} in ${file}`) as JournalRecord),
          }
        }),
      ),

    async acquire(runId) {
      const id = text(runId)
      if (leases.holds(id)) throw runOwned(runId, "this process")
      const row = typed(() => prepared.known.get(id))
      if (row === undefined) return
      const other = await leases.take(id).catch((error: unknown) => Promise.reject(journalFailed(`the journal ${file} failed`, error)))
      if (other !== null) throw runOwned(runId, ownerWords(other))
    },

    release: (runId) => typed(() => leases.drop(text(runId))),

    note: (runId, { status, pending }) => typed(() => void prepared.note.run(status, text(pending), text(runId), leases.token)),

    list: ({ status } = {}) => typed(() => ((status === undefined ? prepared.list.all() : prepared.listOfStatus.all(status)) as RunRow[]).map(summaryOf)),

    close() {
      typed(() => leases.dropAll())
      database.close()
    },
  }
}

const text = (value: unknown): string => JSON.stringify(value)

function parse(json: string, what: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch (error) {
    throw new AgentStatechartsError("journal_corrupt", `${what} is no JSON`, { cause: error })
  }
}
