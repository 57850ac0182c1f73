import type { StoredRun, StoredRunStatus } from "../../../runtime/journal/journal.js"
import { callerOf, startedAtOf } from "../../../runtime/journal/journal.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { addChecksum } from "../checksums.js"
import type { ChartTable } from "./chart-table.js"
import type { RowStatus, RunEnd } from "./read-run.js"
import { runChecksum, firstChain, rowChecksum } from "./read-run.js"
import type { statements } from "./schema.js"

const text = (value: unknown): string => JSON.stringify(value)

/** Converts the status of a run to the columns of the run's database row. */
export const rowStatusOf = ({ status, pending, at, wakeAt }: StoredRunStatus): RowStatus => ({
  status,
  requests: text(pending),
  times: status === "running" ? null : [at, wakeAt ?? null],
})

/**
 * Stores the time at which a run stopped executing and the time of its next deadline. Lists of runs
 * contain these times. Must be called inside a transaction.
 */
export function keepTimes(
  { prepared }: OpenDatabase<keyof typeof statements>,
  run: number,
  { at, wakeAt }: StoredRunStatus,
): void {
  prepared.keepTime.run(run, at)
  if (wakeAt === undefined) prepared.deleteWake.run(run)
  else prepared.keepWake.run(run, wakeAt)
}

/** The database rows for a run, which are computed from the run and can then be inserted. */
export class RunRows {
  readonly #run: StoredRun
  readonly #charts: ChartTable
  readonly #id: string
  readonly #chart: string
  readonly #header: string
  readonly #records: readonly string[]
  /** The position at which the next record of the run is appended. */
  readonly end: RunEnd

  constructor(run: StoredRun, charts: ChartTable) {
    const { header, records } = run
    this.#run = run
    this.#charts = charts
    this.#id = text(header.runId)
    this.#chart = text(header.chart.id)
    const first = { ...header, runId: undefined, chart: charts.hashOf(header.chart) }
    let { text: line, chain } = addChecksum(text(first), firstChain(this.#id))
    this.#header = line
    this.#records = records.map((record) => {
      ;({ text: line, chain } = addChecksum(text(record), chain))
      return line
    })
    const facts = runChecksum(this.#id, this.#chart, startedAtOf(header))
    this.end = { records: records.length, chain, facts }
  }

  /**
   * Inserts the rows of a new run. Must be called inside a transaction. Returns the number under
   * which the run is stored, or null if a run with the same id exists.
   */
  insert(
    { prepared }: OpenDatabase<keyof typeof statements>,
    status: RowStatus,
    owner: string,
  ): number | null {
    const { changes, lastInsertRowid } = prepared.create.run(
      this.#id,
      this.#chart,
      startedAtOf(this.#run.header),
      status.status,
      status.requests,
      owner,
      this.end.chain,
      rowChecksum(this.end.facts, status),
    )
    if (changes === 0) return null
    const number = Number(lastInsertRowid)
    this.#charts.keep(this.#run.header.chart)
    prepared.keepHeader.run(number, this.#header)
    const { calledBy } = callerOf(this.#run.header)
    if (calledBy !== undefined) prepared.keepCaller.run(number, text(calledBy))
    this.#insertRecords(number, prepared)
    return number
  }

  /**
   * Replaces the rows of an existing run. Must be called inside a transaction. Returns false, and
   * changes nothing, if the run has another owner.
   */
  replace(
    { prepared }: OpenDatabase<keyof typeof statements>,
    status: RowStatus,
    { number, owner }: { readonly number: number; readonly owner: string },
  ): boolean {
    const crc = rowChecksum(this.end.facts, status)
    const { changes } = prepared.replace.run(
      this.#chart,
      status.status,
      status.requests,
      this.end.chain,
      crc,
      number,
      owner,
    )
    if (changes === 0) return false
    this.#charts.keep(this.#run.header.chart)
    prepared.replaceHeader.run(this.#header, number)
    prepared.deleteRecords.run(number)
    this.#insertRecords(number, prepared)
    return true
  }

  #insertRecords(
    number: number,
    prepared: OpenDatabase<keyof typeof statements>["prepared"],
  ): void {
    for (const [position, record] of this.#records.entries())
      prepared.append.run(number, position, record)
  }
}
