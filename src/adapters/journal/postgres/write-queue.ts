import type pg from "pg"
import type { AgentStatechartsError } from "../../../errors.js"
import { runLost } from "../../../runtime/journal/journal-errors.js"
import type { StoredRunStatus } from "../../../runtime/journal/journal.js"
import { notifyFollowers } from "./run-followers.js"
import type { Tables } from "./schema.js"

/** A run that this process owns, so that it can append records to the run. */
export interface LockedRun {
  readonly runId: string
  readonly number: string
  /** Key of the PostgreSQL advisory lock with which the run was acquired. */
  readonly key: string
  /**
   * Position at which the next record (a call result or an external event) of the run is stored.
   */
  records: number
  /**
   * Error of the first failed write. null if no write has failed. After a failure, no more records
   * of the run are stored, so that its records have no gaps.
   */
  failure: AgentStatechartsError | null
}

interface Write {
  readonly run: LockedRun
  /** JSON text of the record to append. null if only the status is stored. */
  readonly record: string | null
  readonly status: StoredRunStatus | null
  readonly stored: () => void
  readonly failed: (error: AgentStatechartsError) => void
}

/**
 * A queue that stores records and statuses of runs in PostgreSQL, in order. Writes that are added
 * while an SQL statement is running are stored together by the next statement. Nothing is stored
 * for a run that another process owns.
 */
export class WriteQueue {
  readonly #pool: pg.Pool
  readonly #sql: string
  readonly #failureOf: (error: unknown) => AgentStatechartsError
  #waiting: Write[] = []
  #writing: Promise<void> | null = null

  constructor(
    pool: pg.Pool,
    { runs, records }: Tables,
    schema: string,
    failureOf: (error: unknown) => AgentStatechartsError,
  ) {
    this.#pool = pool
    this.#failureOf = failureOf
    this.#sql = `
      WITH last AS (
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
          AS last (number, owner, status, requests, settled_at, wake_at)
      ), owned AS (
        UPDATE ${runs} AS runs SET status = last.status, requests = last.requests, settled_at = last.settled_at, wake_at = last.wake_at
          FROM last WHERE runs.number = last.number AND runs.owner = last.owner RETURNING runs.number
      ), stored AS (
        INSERT INTO ${records} SELECT added.run, added.position, added.record
          FROM unnest($7::bigint[], $8::integer[], $9::text[]) AS added (run, position, record)
          JOIN owned ON owned.number = added.run
      )
      SELECT number, ${notifyFollowers(schema, "number")} FROM owned`
  }

  /**
   * Adds a record to the queue, or a status if `record` is null. Resolves when the data is stored.
   */
  add(run: LockedRun, record: string | null, status: StoredRunStatus | null): Promise<void> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ run, record, status, stored, failed })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Resolves when all added writes have been stored or have failed. */
  async idle(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // Wait for writes that are added in the same task, because they are stored together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      await this.#write(batch.filter(({ run }) => run.failure === null))
      for (const { run, stored, failed } of batch) {
        if (run.failure === null) stored()
        else failed(run.failure)
      }
    }
    this.#writing = null
  }

  async #write(batch: readonly Write[]): Promise<void> {
    const last = new Map(batch.map((write) => [write.run, write]))
    const added = batch.filter(({ record }) => record !== null)
    const position = new Map<LockedRun, number>()
    const positions = added.map(({ run }) => {
      const next = position.get(run) ?? run.records
      position.set(run, next + 1)
      return next
    })
    const runs = [...last.values()]
    if (runs.length === 0) return
    try {
      const { rows } = await this.#pool.query<{ readonly number: string }>(this.#sql, [
        runs.map(({ run }) => run.number),
        runs.map(({ run }) => run.key),
        runs.map(({ status }) => status?.status ?? "running"),
        runs.map(({ status }) => JSON.stringify(status?.pending ?? [])),
        runs.map(({ status }) =>
          status === null || status.status === "running" ? null : status.at,
        ),
        runs.map(({ status }) => status?.wakeAt ?? null),
        added.map(({ run }) => run.number),
        positions,
        added.map(({ record }) => record),
      ])
      const owned = new Set(rows.map(({ number }) => number))
      for (const { run } of runs)
        if (owned.has(run.number)) run.records = position.get(run) ?? run.records
        else run.failure = runLost(run.runId)
    } catch (error) {
      for (const { run } of runs) run.failure = this.#failureOf(error)
    }
  }
}
