import { AgentStatechartsError } from "../../../errors.js"
import type { AgentChart } from "../../../machines/agent-chart.js"
import { runExists, runLost, runOwned } from "../../../runtime/journal-refusals.js"
import type {
  CompleteJournal,
  JournalHeader,
  JournalRecord,
  RunStanding,
  RunSummary,
} from "../../../runtime/journal.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { journalFailed } from "../journal-failed.js"
import type { LeaseOptions } from "../owner.js"
import { ownerWords } from "../owner.js"
import type { HeldRun } from "./database-leases.js"
import { DatabaseLeases } from "./database-leases.js"
import { GroupCommit } from "./group-commit.js"
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
 * is when the disk has it; what all runs have to store in one turn of the event loop is committed at once. Nothing is stored for
 * a run that was lost to another owner.
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
  const database = typed(() =>
    openDatabase(file, { schema, statements, busyTimeoutMs: options.busyTimeoutMs ?? 5000 }),
  )
  const { prepared, atOneMoment } = database
  const writes = new GroupCommit(database, (error) =>
    journalFailed(`the journal ${file} failed`, error),
  )
  const leases = new DatabaseLeases(database, options)
  const charts = new KeptCharts(database)

  const headerOf = (stored: string, runId: string): JournalHeader => {
    const id = text(runId)
    const header = parse(stored, `the header of run ${id} in ${file}`) as Omit<
      JournalHeader,
      "chart" | "runId"
    > & { readonly chart: string }
    const chart = charts.read(header.chart)
    if (chart === undefined)
      throw new AgentStatechartsError(
        "journal_corrupt",
        `the chart of run ${id} is missing in ${file}`,
      )
    return {
      ...header,
      runId,
      chart: parse(chart, `the chart of run ${id} in ${file}`) as AgentChart,
    }
  }

  const summaryOf = (row: RunRow): RunSummary => {
    const owner = row.owner === null ? null : leases.owner(row.owner)
    return {
      runId: parse(row.id, `the id of a run in ${file}`) as string,
      chart: parse(row.chart, `a chart's id in ${file}`) as string,
      startedAt: row.started_at,
      // What was written here came from a standing of the same form.
      status: row.status as RunSummary["status"],
      pending: parse(
        row.pending,
        `what run ${row.id} waits for in ${file}`,
      ) as RunSummary["pending"],
      owner: owner === null ? null : ownerWords(owner),
    }
  }

  return {
    async create(header) {
      const id = text(header.runId)
      const chartId = text(header.chart.id)
      const hash = charts.hashOf(header.chart)
      const line = text({ ...header, runId: undefined, chart: hash })
      let holds = false
      const write = (): void => {
        if (leases.holds(id)) throw runExists(header.runId)
        const { changes, lastInsertRowid } = prepared.create.run(
          id,
          chartId,
          header.at,
          leases.token,
        )
        if (changes === 0) throw runExists(header.runId)
        const number = Number(lastInsertRowid)
        charts.keep(header.chart)
        prepared.keepHeader.run(number, line)
        leases.hold(id, { number, records: 0, isNoted: false })
        holds = true
      }
      await writes.add(write, () => {
        if (holds) leases.lose(id)
      })
      charts.isStored(hash)
    },

    async append(runId, record) {
      const [id, line] = [text(runId), text(record)]
      let run: HeldRun | undefined
      const write = (): void => {
        run = leases.held(id)
        if (run === undefined) throw runLost(runId)
        if (run.isNoted) prepared.goOn.run(run.number, leases.token)
        run.isNoted = false
        run.records ??= (prepared.count.get(run.number) as { readonly records: number }).records
        const { changes } = prepared.append.run(run.records, line, run.number, leases.token)
        if (changes === 0) throw runLost(runId)
        run.records++
      }
      await writes.add(write, () => {
        if (run === undefined) return
        run.records = null
        run.isNoted = true
      })
    },

    load: (runId) =>
      typed(() => {
        writes.flush()
        return atOneMoment(() => {
          const id = text(runId)
          const row = prepared.header.get(id) as
            | { readonly number: number; readonly header: string }
            | undefined
          if (row === undefined) return null
          const rows = prepared.records.all(row.number) as readonly { readonly record: string }[]
          return {
            header: headerOf(row.header, runId),
            records: rows.map(
              ({ record }, n) =>
                parse(record, `record ${n} of run ${id} in ${file}`) as JournalRecord,
            ),
          }
        })
      }),

    async acquire(runId) {
      writes.flush()
      const id = text(runId)
      if (leases.holds(id)) throw runOwned(runId, "this process")
      const row = typed(() => prepared.known.get(id))
      if (row === undefined) return
      const other = await leases
        .take(id)
        .catch((error: unknown) =>
          Promise.reject(journalFailed(`the journal ${file} failed`, error)),
        )
      if (other !== null) throw runOwned(runId, ownerWords(other))
    },

    release(runId) {
      const id = text(runId)
      let run: HeldRun | undefined
      const write = (): void => {
        run = leases.held(id)
        leases.drop(id)
      }
      return writes.add(write, () => {
        if (run !== undefined) leases.keep(id, run)
      })
    },

    note(runId, { status, pending }) {
      const [id, requests] = [text(runId), text(pending)]
      return writes.add(() => {
        const run = leases.held(id)
        if (run === undefined) return
        run.isNoted = true
        prepared.note.run(status, requests, run.number, leases.token)
      })
    },

    list: ({ status } = {}) =>
      typed(() => {
        writes.flush()
        return (
          (status === undefined
            ? prepared.list.all()
            : prepared.listOfStatus.all(status)) as RunRow[]
        ).map(summaryOf)
      }),

    close() {
      writes.flush()
      typed(() => database.atOnce(() => leases.dropAll()))
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
