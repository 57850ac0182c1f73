import { crc32 } from "node:zlib"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type {
  JournalHeader,
  JournalRecord,
  RunSummary,
  StoredRun,
} from "../../../runtime/journal/journal.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedBytes, storedText } from "../../sqlite/stored-text.js"
import type { ChainChecksum } from "../checksums.js"
import { checksumOf, corrupt, isIntact, valueOf } from "../checksums.js"
import { isRecord } from "../is-record.js"
import type { ChartTable } from "./chart-table.js"
import type { RunRow, statements } from "./schema.js"

/**
 * The end of a stored run, where its next record is appended. `records` is the number of stored
 * records. `chain` is the checksum of the last record.
 */
export interface RunEnd {
  readonly records: number
  readonly chain: ChainChecksum
  /**
   * Checksum of the run id, the chart id and the start time of the run (see `factsOf`). null for a
   * run without checksums.
   */
  readonly facts: number | null
}

type Prepared = OpenDatabase<keyof typeof statements>["prepared"]

const text = (value: unknown): string => JSON.stringify(value)

/**
 * Returns the initial value for the chain of checksums of a run. The checksum of the header is
 * computed from this value. It depends on the run id, so a header that was moved to another run is
 * detected.
 */
export const firstChain = (id: string): number => crc32(id)

/**
 * Returns the checksum of the values of a run that never change: its id, its chart id and its start
 * time. The checksum needs to be computed only once per run.
 */
export const runChecksum = (id: string, chart: string, startedAt: number): number =>
  crc32(text([id, chart, startedAt]))

/** The status of a run, as stored in the row of the run. Lists of runs read only this row. */
export interface RowStatus {
  readonly status: string
  /** The pending requests of the run as JSON text. */
  readonly requests: string
  /**
   * `settledAt` is the time at which the run stopped executing. `wakeAt` is the time of its next
   * deadline, or null. Both are in milliseconds since the epoch. `times` is null while the run is
   * executing.
   */
  readonly times: readonly [settledAt: number | null, wakeAt: number | null] | null
}

/** The row status that is the same for all executing runs. */
export const running: RowStatus = { status: "running", requests: "[]", times: null }

/**
 * Returns the checksum of a run's data that is shown in a list of runs. It is stored in the column
 * `crc`. `facts` is the result of `factsOf`. Returns null for a run without checksums.
 */
export const rowChecksum = (
  facts: number | null,
  { status, requests, times }: RowStatus,
): number | null =>
  facts === null ? null : crc32(text([status, requests, ...(times === null ? [] : [times])]), facts)

/**
 * Converts the database row of a run to the data that is shown in a list of runs, and verifies the
 * checksum of the row.
 *
 * @throws AgentStatechartsError `journal_corrupt`, or an error with the code `SQLITE_CORRUPT`, if
 * the row was changed
 */
export function readRow(
  row: RunRow,
  file: string,
): Omit<RunSummary, "owner"> & { readonly facts: number | null } {
  const location = `row ${row.number} of runs in ${file}`
  const id = storedText(row.id, `the id in ${location}`)
  const chart = storedText(row.chart, `the chart's id in ${location}`)
  const status = storedText(row.status, `the status in ${location}`)
  const requests = storedText(row.requests, `the requests in ${location}`)
  const facts = row.crc === null ? null : runChecksum(id, chart, row.started_at)
  const times = status === "running" ? null : ([row.settled_at, row.wake_at] as const)
  // Earlier versions stored a checksum without the times.
  if (
    rowChecksum(facts, { status, requests, times }) !== row.crc &&
    rowChecksum(facts, { status, requests, times: null }) !== row.crc
  )
    throw changed(location)
  return {
    // The casts are safe. The journal wrote these values from a header and a status.
    runId: parse(id, `the id in ${location}`) as string,
    chart: parse(chart, `the chart's id in ${location}`) as string,
    startedAt: row.started_at,
    status: status as RunSummary["status"],
    pending: parse(requests, `the requests in ${location}`) as RunSummary["pending"],
    ...(row.settled_at !== null && status !== "running" && { settledAt: row.settled_at }),
    ...(row.wake_at !== null && status === "waiting" && { wakeAt: row.wake_at }),
    facts,
    ...(row.caller !== null && {
      calledBy: parse(
        storedText(row.caller, `the caller of a run in ${location}`),
        `the caller in ${location}`,
      ) as NonNullable<RunSummary["calledBy"]>,
    }),
  }
}

/**
 * Returns the position at which the next record of a run is appended. Verifies the checksum of the
 * run's row first.
 */
export function endOf(row: RunRow, prepared: Prepared, file: string): RunEnd {
  const { facts } = readRow(row, file)
  if ((row.tail === null) !== (facts === null))
    throw changed(`row ${row.number} of runs in ${file}`)
  const { records } = prepared.count.get(row.number) as { readonly records: number }
  return { records, chain: row.tail, facts }
}

/**
 * Reads a run with its header and its records, and verifies its checksums, which detect changed and
 * missing records.
 *
 * @throws AgentStatechartsError `journal_corrupt`, or an error with the code `SQLITE_CORRUPT`, if
 * the run is damaged
 */
export function readRun(
  runId: string,
  row: RunRow,
  prepared: Prepared,
  charts: ChartTable,
  file: string,
): StoredRun {
  const id = text(runId)
  const location = `of run ${id} in ${file}`
  if (readRow(row, file).runId !== runId) throw changed(`row ${row.number} of runs in ${file}`)
  const first = prepared.header.get(row.number) as { readonly header: unknown } | undefined
  const header = readText(first?.header, firstChain(id), `the header ${location}`)
  if ((header.chain === null) !== (row.crc === null)) throw changed(`the header ${location}`)
  let { chain } = header
  const rows = prepared.records.all(row.number) as readonly {
    readonly position: number
    readonly record: unknown
  }[]
  const records = rows.map(({ position, record }, n): JournalRecord => {
    const name = `record ${n} ${location}`
    if (position !== n) throw corrupt(`${name} is missing. Restore the file from a backup`)
    const read = readText(record, chain, name)
    if ((read.chain === null) !== (chain === null) || !isRecord(read.value)) throw changed(name)
    ;({ chain } = read)
    return read.value
  })
  if (chain !== row.tail)
    throw corrupt(
      `the last record ${location} is missing, or row ${row.number} of runs was changed. Restore the file from a backup`,
    )
  return { header: headerOf(header.value, runId, charts, location), records }
}

function headerOf(
  stored: unknown,
  runId: string,
  charts: ChartTable,
  location: string,
): JournalHeader {
  if (
    !isJsonObject(stored) ||
    stored["format"] !== 1 ||
    typeof stored["at"] !== "number" ||
    typeof stored["chart"] !== "string" ||
    !isJsonObject(stored["input"])
  )
    throw corrupt(`the header ${location} is not a header. Restore the file from a backup`)
  const header = stored as unknown as Omit<JournalHeader, "chart" | "runId">
  return { ...header, runId, chart: charts.read(stored["chart"], location) }
}

/**
 * Verifies the checksum of a header or record, if it has a checksum. Returns the parsed value
 * without the checksum.
 */
function readText(
  column: unknown,
  before: ChainChecksum,
  what: string,
): { readonly value: unknown; readonly chain: ChainChecksum } {
  const bytes = storedBytes(column, what)
  const checksum = checksumOf(bytes)
  if (checksum !== null && (before === null || !isIntact(bytes, checksum, before)))
    throw changed(what)
  const value = valueOf(bytes, checksum)
  if (value === undefined) throw changed(what)
  return { value, chain: checksum?.value ?? null }
}

const changed = (what: string): Error =>
  corrupt(
    `${what} does not match its checksum: it was changed, or what comes before it is missing. Restore the file from a backup`,
  )

function parse(json: string, what: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw corrupt(`${what} is not JSON. Restore the file from a backup`, error)
  }
}
