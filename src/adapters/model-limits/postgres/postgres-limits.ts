import { createHash } from "node:crypto"
import type { PoolClient } from "pg"
import type { CallWait } from "../../../machines/contract/model-event.js"
import { checkText } from "../../../machines/data/check-arguments.js"
import type { ModelLimit } from "../../../runtime/host/model-limits/model-limit.js"
import type {
  Admission,
  CallUse,
  SharedLimits,
} from "../../../runtime/host/model-limits/shared-limits.js"
import type { HeldLock } from "../../postgres/advisory-locks.js"
import { holdLock } from "../../postgres/advisory-locks.js"
import { loadPg } from "../../postgres/load-pg.js"
import { inTransaction, type TableSet } from "../../postgres/prepare-tables.js"
import { poolUser, preparedPool } from "../../postgres/prepared-pool.js"
import { limitStatements } from "./limit-tables.js"

const pg = await loadPg("adapters/model-limits/postgres")

export interface PostgresLimitsOptions {
  /**
   * PostgreSQL schema that contains the tables. The schema is created if it does not exist.
   * Default: `agent_statecharts`.
   */
  readonly schema?: string
  /**
   * Maximum number of database connections. The connection that marks the calls of this process as
   * running is not counted. Default: 2.
   */
  readonly maxConnections?: number
}

export interface PostgresLimits extends SharedLimits {
  /**
   * Closes the database connections. After that, the running calls of this process no longer count
   * towards the limits of the models.
   */
  close(): Promise<void>
}

/**
 * The result row of the SQL statement that admits a model call. The PostgreSQL driver returns
 * `bigint` numbers as strings.
 */
interface AdmissionRow {
  readonly number: string | null
  readonly reached: CallWait["limit"] | null
  readonly delay: string | null
}

/** The ended calls of a model that are not stored in the database yet, combined into one entry. */
interface Ended {
  readonly numbers: string[]
  tokens: number
  lastTokens: number | null
  pauseMs: number | null
}

/**
 * Delay in milliseconds before the ended calls are stored again after a failure of the database.
 */
const retryMs = 1_000

/**
 * Creates limits for model calls that all processes with the same PostgreSQL schema share. Each
 * admission of a call is one short transaction. The calls of a killed process are no longer
 * counted, because its connection ends. Therefore connect directly or through a connection pooler
 * in session mode. Requires the package `pg`.
 *
 * @example
 * const shared = postgresLimits("postgresql://user@db.example/agents")
 * const limits = modelLimits({ "openai:gpt-5": { maxConcurrent: 8 } }, { shared })
 */
export function postgresLimits(url: string, options: PostgresLimitsOptions = {}): PostgresLimits {
  checkText(url, "the URL of postgresLimits", 'Pass a URL: postgresLimits("postgresql://...").')
  const { schema = "agent_statecharts", maxConnections = 2 } = options
  const statements = limitStatements(schema)
  const tableSet: TableSet = {
    schema,
    create: statements.create,
    contentTables: statements.tables,
    format: statements.format,
    version: 1,
    errorCode: "journal_failed",
  }
  const prepared = preparedPool(pg, url, maxConnections, tableSet)
  const use = poolUser(prepared, tableSet, "shared limits of models")
  const ended = new Map<string, Ended>()
  /**
   * The last transaction of each model, by model name. A transaction waits for the previous
   * transaction of the same model.
   */
  const last = new Map<string, Promise<unknown>>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let leaseLock: Promise<HeldLock> | null = null
  let isClosed = false

  const ownKey = async (): Promise<string> => {
    leaseLock ??= holdLock(pg, url, { keepsAlive: false }).then((lock) => {
      const clearLock = (): void => void (leaseLock = null)
      lock.client.on("error", clearLock)
      lock.client.on("end", clearLock)
      return lock
    })
    try {
      return (await leaseLock).key
    } catch (error) {
      leaseLock = null
      throw error
    }
  }

  /**
   * Executes a transaction with exclusive access to the limits of a model. The transaction first
   * stores which calls of the model have ended, so that they no longer count as running.
   */
  const exclusively = <Value>(
    model: string,
    act: (client: PoolClient) => Promise<Value>,
  ): Promise<Value> => {
    const run = async (): Promise<Value> => {
      const done = ended.get(model)
      ended.delete(model)
      try {
        return await use((pool) =>
          inTransaction(pool, async (client) => {
            await client.query("SELECT pg_advisory_xact_lock($1)", [lockOf(schema, model)])
            if (done !== undefined) await storeEnds(client, model, done)
            return act(client)
          }),
        )
      } catch (error) {
        if (done !== undefined) ended.set(model, joined(done, ended.get(model)))
        throw error
      }
    }
    const result = (last.get(model) ?? Promise.resolve()).then(run)
    last.set(
      model,
      result.catch(() => {}),
    )
    return result
  }

  const storeEnds = async (
    client: PoolClient,
    model: string,
    { numbers, tokens, lastTokens, pauseMs }: Ended,
  ): Promise<void> => {
    await client.query(statements.end, [model, numbers, tokens])
    if (lastTokens !== null || pauseMs !== null)
      await client.query(statements.remember, [model, lastTokens, pauseMs])
  }

  /**
   * Stores the ended calls of a model in the database. Does nothing if the admission of another
   * call has already stored them.
   */
  const flush = (model: string): void => {
    if (isClosed || !ended.has(model)) return
    exclusively(model, async () => {}).catch(() => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        flush(model)
      }, retryMs)
      timers.add(timer.unref())
    })
  }

  const end = (model: string, number: string, { tokens, pauseMs }: CallUse): void => {
    const use: Ended = { numbers: [number], tokens: tokens ?? 0, lastTokens: tokens, pauseMs }
    ended.set(model, joined(ended.get(model), use))
    // If an admission follows immediately, it stores the end of the call in its own transaction.
    queueMicrotask(() => flush(model))
  }

  return {
    async admit(model, limit) {
      const key = await ownKey()
      const { rows } = await exclusively(model, (client) =>
        client.query<AdmissionRow>(statements.admit, [model, key, ...numbersOf(limit)]),
      )
      return admissionOf(rows[0], (number, used) => end(model, number, used))
    },
    async close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(last.values())
      const lock = await leaseLock?.catch(() => null)
      await lock?.client.end()
      await prepared.pool.end()
    },
  }
}

/** The number that represents an unset limit in the SQL statements. */
const unlimited = Number.MAX_SAFE_INTEGER

const numbersOf = ({
  maxConcurrent = unlimited,
  requestsPerMinute = unlimited,
  tokensPerMinute = unlimited,
}: ModelLimit): readonly number[] => [maxConcurrent, requestsPerMinute, tokensPerMinute]

function admissionOf(
  row: AdmissionRow | undefined,
  end: (number: string, use: CallUse) => void,
): Admission {
  const { number = null, reached = null, delay = null } = row ?? {}
  return number === null
    ? {
        isAdmitted: false,
        limit: reached ?? "maxConcurrent",
        delayMs: delay === null ? null : Math.max(Number(delay), 1),
      }
    : { isAdmitted: true, end: (use) => end(number, use) }
}

/**
 * Combines two entries with ended calls of the same model into one entry. `lastTokens` is taken
 * from `later`. If it is null there, it is taken from `earlier`.
 */
const joined = (earlier: Ended | undefined, later: Ended | undefined): Ended => {
  if (earlier === undefined || later === undefined)
    return earlier ?? later ?? { numbers: [], tokens: 0, lastTokens: null, pauseMs: null }
  const pauses = [earlier.pauseMs, later.pauseMs].filter((ms) => ms !== null)
  return {
    numbers: [...earlier.numbers, ...later.numbers],
    tokens: earlier.tokens + later.tokens,
    lastTokens: later.lastTokens ?? earlier.lastTokens,
    pauseMs: pauses.length === 0 ? null : Math.max(...pauses),
  }
}

/** Returns the key of the advisory lock that protects the limits of a model. */
const lockOf = (schema: string, model: string): string =>
  createHash("sha256")
    .update(JSON.stringify([schema, model]))
    .digest()
    .readBigInt64BE()
    .toString()
