import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type {
  JournalHeader,
  JournalRecord,
  RunSummary,
  StoredRun,
} from "../../../runtime/journal/journal.js"
import type { LeaseOwner } from "../owner.js"
import { ownerWords } from "../owner.js"

/** A row of the SQL query that lists runs. `owner` is null if no running process owns the run. */
export interface ListedRunRow {
  readonly id: string
  readonly chart: string
  readonly started_at: string
  readonly status: string
  readonly requests: string
  readonly settled_at: string | null
  readonly wake_at: string | null
  readonly caller: string | null
  readonly owner: string | null
}

/**
 * A row with the stored data of a run. `records` contains the JSON texts of the records in order,
 * or null if the run has no records.
 */
export interface StoredRow {
  readonly header: string
  readonly chart: string
  readonly records: readonly string[] | null
}

/** Converts a database row to the summary of a run, as shown in a list of runs. */
export function summaryOf(row: ListedRunRow): RunSummary {
  return {
    // The casts are safe. The journal wrote these values from a header and a status.
    runId: JSON.parse(row.id) as string,
    chart: JSON.parse(row.chart) as string,
    startedAt: Number(row.started_at),
    status: row.status as RunSummary["status"],
    pending: JSON.parse(row.requests) as RunSummary["pending"],
    ...(row.settled_at !== null && { settledAt: Number(row.settled_at) }),
    ...(row.wake_at !== null && { wakeAt: Number(row.wake_at) }),
    owner: row.owner === null ? null : ownerTextOf(row.owner),
    ...(row.caller !== null && {
      calledBy: JSON.parse(row.caller) as NonNullable<RunSummary["calledBy"]>,
    }),
  }
}

/** Converts a database row with JSON texts to a stored run. */
export function runOf(row: StoredRow): StoredRun {
  // The casts are safe. The journal wrote these values.
  const header = JSON.parse(row.header) as Omit<JournalHeader, "chart">
  const chart = JSON.parse(row.chart) as AgentChart
  const records = (row.records ?? []).map((record) => JSON.parse(record) as JournalRecord)
  return { header: { ...header, chart }, records }
}

/** Converts the stored JSON of a run's owner to a description for messages. */
export const ownerTextOf = (owner: string): string => ownerWords(JSON.parse(owner) as LeaseOwner)
