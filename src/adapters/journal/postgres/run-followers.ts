import { createHash } from "node:crypto"
import type { Client } from "pg"
import { pg } from "./pg.js"
import { lockIsHeldSql } from "../../postgres/advisory-locks.js"

/**
 * Returns the name of the PostgreSQL channel on which processes notify each other of stored
 * records.
 */
const channelOf = (schema: string): string =>
  `agent_statecharts_${createHash("sha256").update(schema).digest("hex").slice(0, 16)}`

/**
 * Returns SQL for the key of an advisory lock. Every process that follows runs holds this lock. To
 * follow a run means to subscribe to the changes that another process makes to the run.
 */
const lockKey = (schema: string): string => `hashtextextended('${channelOf(schema)}', 0)`

/**
 * Returns an SQL expression that notifies other processes of a stored record or status. `number` is
 * an SQL expression for the number of the run. Commits with notifications have to wait for each
 * other. Therefore the notification is sent only if a process has subscribed to the changes of a
 * run.
 */
export const notifyFollowers = (schema: string, number: string): string =>
  `(SELECT pg_notify('${channelOf(schema)}', ${number}::text) WHERE ${lockIsHeldSql(lockKey(schema))})`

/** Delay in milliseconds before a lost database connection is opened again. */
const reconnectMs = 1_000

/**
 * The subscriptions of this process to changes of runs. PostgreSQL notifies a subscriber when
 * another process has stored a record or a status. All subscriptions share one connection, which is
 * opened for the first subscription.
 */
export class RunFollowers {
  readonly #url: string
  readonly #schema: string
  readonly #callbacks = new Map<string, Set<() => void>>()
  #client: Promise<Client> | null = null
  #isClosed = false

  constructor(url: string, schema: string) {
    this.#url = url
    this.#schema = schema
  }

  /**
   * Calls `onChange` after every change of a run. `number` is the number of the run in the
   * database. Resolves to a function that ends this subscription.
   */
  async follow(number: string, onChange: () => void): Promise<() => void> {
    const callbacks = this.#callbacks.get(number) ?? new Set()
    this.#callbacks.set(number, callbacks)
    callbacks.add(onChange)
    const unfollow = (): void => {
      callbacks.delete(onChange)
      if (callbacks.size === 0 && this.#callbacks.get(number) === callbacks)
        this.#callbacks.delete(number)
    }
    try {
      await this.#connect()
    } catch (error) {
      unfollow()
      throw error
    }
    return unfollow
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = await this.#client?.catch(() => null)
    this.#client = null
    await client?.end()
  }

  #connect(): Promise<Client> {
    this.#client ??= this.#open().catch((error: unknown) => {
      this.#client = null
      throw error
    })
    return this.#client
  }

  async #open(): Promise<Client> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true })
    client.on("notification", ({ payload = "" }) => {
      for (const call of this.#callbacks.get(payload) ?? []) call()
    })
    // The event `end` follows. Its handler reconnects.
    client.on("error", () => {})
    client.on("end", () => this.#reconnect())
    await client.connect()
    try {
      await client.query(`LISTEN ${channelOf(this.#schema)}`)
      await client.query(`SELECT pg_advisory_lock_shared(${lockKey(this.#schema)})`)
    } catch (error) {
      await client.end()
      throw error
    }
    return client
  }

  /**
   * Opens a lost connection again. Notifications may have been lost in the meantime, so all
   * `onChange` callbacks are called after the reconnection.
   */
  #reconnect(): void {
    if (this.#isClosed) return
    this.#client = null
    setTimeout(() => {
      if (this.#isClosed || this.#callbacks.size === 0) return
      this.#connect().then(
        () => {
          for (const callbacks of this.#callbacks.values()) for (const call of callbacks) call()
        },
        () => this.#reconnect(),
      )
    }, reconnectMs).unref()
  }
}
