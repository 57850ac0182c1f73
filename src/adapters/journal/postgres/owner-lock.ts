import type { LeaseOwner } from "../owner.js"
import { thisOwner } from "../owner.js"
import type { HeldLock } from "../../postgres/advisory-locks.js"
import { holdLock, lockIsHeldSql } from "../../postgres/advisory-locks.js"
import { pg } from "./pg.js"
import type { Tables } from "./schema.js"

/**
 * The PostgreSQL advisory lock that identifies this process as the owner of runs. A separate
 * connection holds the lock. PostgreSQL releases the lock when the process or this connection ends.
 * Other processes can then take over the runs immediately.
 */
export class OwnerLock {
  readonly #url: string
  readonly #tables: Tables
  readonly #onLost: () => void
  readonly #onNotified: (text: string) => void
  #lock: Promise<HeldLock> | null = null

  /**
   * Creates the lock, but does not acquire it yet. `onLost` is called if the connection ends before
   * `close` is called. `onNotified` is called with the text of each PostgreSQL notification to this
   * process.
   */
  constructor(url: string, tables: Tables, onLost: () => void, onNotified: (text: string) => void) {
    this.#url = url
    this.#tables = tables
    this.#onLost = onLost
    this.#onNotified = onNotified
  }

  /**
   * Returns the key of the advisory lock. If this process does not hold the lock yet, acquires it.
   */
  async key(): Promise<string> {
    this.#lock ??= this.#acquire()
    try {
      return (await this.#lock).key
    } catch (error) {
      this.#lock = null
      throw error
    }
  }

  async close(): Promise<void> {
    const held = this.#lock
    this.#lock = null
    if (held === null) return
    const { key, client } = await held
    await client.query(`DELETE FROM ${this.#tables.owners} WHERE key = $1`, [key])
    await client.end()
  }

  async #acquire(): Promise<HeldLock> {
    const { key, client } = await holdLock(pg, this.#url, { keepsAlive: true })
    client.on("notification", ({ payload = "" }) => this.#onNotified(payload))
    try {
      await client.query(`LISTEN "agent_statecharts_owner_${key}"`)
      await client.query(
        `DELETE FROM ${this.#tables.owners} AS owners WHERE NOT ${lockIsHeldSql("owners.key")}`,
      )
      // Deletes messages whose senders ended before they could delete them.
      await client.query(
        `DELETE FROM ${this.#tables.messages} WHERE sent_at < now() - interval '1 hour'`,
      )
      await client.query(`INSERT INTO ${this.#tables.owners} VALUES ($1, $2)`, [
        key,
        JSON.stringify(thisOwner({}) satisfies LeaseOwner),
      ])
    } catch (error) {
      await client.end()
      throw error
    }
    const markLost = (): void => {
      if (this.#lock === null) return
      this.#lock = null
      this.#onLost()
    }
    client.on("error", markLost)
    client.on("end", markLost)
    return { key, client }
  }
}
