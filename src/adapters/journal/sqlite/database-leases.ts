import { systemErrorCode } from "../../system-error-code.js"
import { setTimeout as sleep } from "node:timers/promises"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedText } from "../../sqlite/stored-text.js"
import type { LeaseOptions, LeaseOwner } from "../owner.js"
import { defaultLeaseMs, livenessOf, thisOwner, watchMs } from "../owner.js"
import type { RunEnd } from "./read-run.js"
import type { OwnerRow, statements } from "./schema.js"

/**
 * A run whose lease this journal object has. The lease allows only this object to change the run.
 */
export interface OwnedRun {
  readonly number: number
  /**
   * Position at which the next record of the run is appended. null if the position must first be
   * read from the database.
   */
  end: RunEnd | null
  /**
   * Whether the run's row may contain the status of an idle run. If true, the next appended record
   * also sets the status to `running`.
   */
  isNoted: boolean
}

/**
 * The leases of runs, stored in a SQLite database. A lease is the exclusive right of a process to
 * change a run. The row of a run contains the token of its owner. Each owner has a row, which it
 * renews while it has at least one lease.
 */
export class DatabaseLeases {
  readonly token: string
  readonly #database: OpenDatabase<keyof typeof statements>
  readonly #options: LeaseOptions
  readonly #self: LeaseOwner
  readonly #leases = new Map<string, OwnedRun>()
  #renewal: ReturnType<typeof setInterval> | null = null

  constructor(database: OpenDatabase<keyof typeof statements>, options: LeaseOptions) {
    this.#database = database
    this.#options = options
    this.#self = thisOwner(options)
    this.token = this.#self.token
  }

  /**
   * Registers the lease of a run that this owner has just acquired. If this owner has no other
   * lease, first stores the owner in the database.
   */
  hold(id: string, run: OwnedRun): void {
    if (this.#leases.size === 0) this.#renew()
    this.keep(id, run)
  }

  /**
   * Stores the lease of a run in memory, but not in the database. Call this method to restore a
   * lease if the transaction that released the lease has failed.
   */
  keep(id: string, run: OwnedRun): void {
    this.#renewal ??= setInterval(() => this.#renewLater(), this.#leaseMs / 3).unref()
    this.#leases.set(id, run)
  }

  holds(id: string): boolean {
    return this.#leases.has(id)
  }

  leaseOf(id: string): OwnedRun | undefined {
    return this.#leases.get(id)
  }

  /**
   * Acquires the lease of a run, which is the exclusive right to change the run. Returns null on
   * success. If the run has another owner, returns that owner.
   */
  async take(id: string): Promise<LeaseOwner | null> {
    for (let watched: LeaseOwner | null = null; ;) {
      const other = this.#takeOrNot(id, watched)
      if (other === null || livenessOf(other, this.#options) === "alive" || watched !== null)
        return other
      watched = other
      await sleep(watchMs(this.#options))
    }
  }

  /** Releases the lease of a run in the database. Must be called inside a transaction. */
  drop(id: string): void {
    const run = this.#leases.get(id)
    if (run === undefined) return
    const { prepared } = this.#database
    this.markLost(id)
    prepared.release.run(run.number, this.token)
    if (this.#leases.size === 0) prepared.forget.run(this.token)
  }

  /**
   * Removes a lease from memory, but not from the database. Call this method if the transaction
   * that acquired the lease has failed.
   */
  markLost(id: string): void {
    this.#leases.delete(id)
    if (this.#leases.size > 0 || this.#renewal === null) return
    clearInterval(this.#renewal)
    this.#renewal = null
  }

  /** Releases all leases of this owner in the database. Must be called inside a transaction. */
  dropAll(): void {
    for (const id of this.#leases.keys()) this.drop(id)
  }

  /**
   * Returns the owner of a run as stored in the database. The process of this owner may have ended.
   * Returns null if the run has no owner.
   */
  ownerOf(id: string): LeaseOwner | null {
    const row = this.#database.prepared.ownerOf.get(id) as OwnerRow | undefined
    return row === undefined ? null : ownerOf(row)
  }

  /**
   * Returns the owner that a token identifies. Returns null if this owner does not exist or its
   * process has ended.
   */
  owner(token: string): LeaseOwner | null {
    const row = this.#database.prepared.owner.get(token) as OwnerRow | undefined
    const owner = row === undefined ? null : ownerOf(row)
    return owner === null || livenessOf(owner, this.#options) === "gone" ? null : owner
  }

  get #leaseMs(): number {
    return this.#options.leaseMs ?? defaultLeaseMs
  }

  #takeOrNot(id: string, watched: LeaseOwner | null): LeaseOwner | null {
    try {
      return this.#takeNow(id, watched)
    } catch (error) {
      this.markLost(id)
      throw error
    }
  }

  /**
   * Acquires the lease of a run in one transaction. Returns null on success. Otherwise, returns the
   * current owner of the run. `watched` is the earlier state of an owner whose lease looked
   * expired, or null. If this owner has not renewed its lease since then, it counts as gone.
   */
  #takeNow(id: string, watched: LeaseOwner | null): LeaseOwner | null {
    const { prepared, writeTransaction: atOnce } = this.#database
    return atOnce(() => {
      const owner = this.ownerOf(id)
      if (owner !== null) {
        const isGone =
          livenessOf(owner, this.#options) === "gone" ||
          (watched?.token === owner.token && watched.renewedAt === owner.renewedAt)
        if (!isGone) return owner
        prepared.forget.run(owner.token)
      }
      const { number } = prepared.take.get(this.token, id) as { readonly number: number }
      this.hold(id, { number, end: null, isNoted: true })
      return null
    })
  }

  #renew(): void {
    const { token, host, pid, began } = this.#self
    this.#database.prepared.renew.run(token, host, pid, began, (this.#options.now ?? Date.now)())
  }

  #renewLater(): void {
    try {
      this.#renew()
    } catch (error) {
      // The database is busy. The next renewal may succeed, and `append` detects a lost lease.
      if (!String(systemErrorCode(error)).startsWith("SQLITE_")) throw error
    }
  }
}

const ownerOf = ({ token, host, pid, began, renewed_at: renewedAt }: OwnerRow): LeaseOwner => ({
  token: storedText(token, "the token of an owner"),
  host: storedText(host, "the host of an owner"),
  pid,
  began: began === null ? null : storedText(began, "the beginning of an owner"),
  renewedAt,
})
