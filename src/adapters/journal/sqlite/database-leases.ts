import { systemErrorCode } from "../../system-error-code.js"
import { setTimeout as sleep } from "node:timers/promises"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedText } from "../../sqlite/stored-text.js"
import type { LeaseOptions, LeaseOwner } from "../owner.js"
import { defaultLeaseMs, lifeOf, thisOwner, watchMs } from "../owner.js"
import type { RunEnd } from "./stored-run.js"
import type { OwnerRow, statements } from "./schema.js"

/** A run leased by this journal. */
export interface OwnedRun {
  readonly number: number
  /** Where the next record is appended. null if it must be looked up. */
  end: RunEnd | null
  /** Whether the row holds the idle status of the run, which the next record makes obsolete. */
  isNoted: boolean
}

/**
 * Leases as database rows. The owner row is renewed while it holds any lease, and the row of a run
 * names its owner.
 */
export class DatabaseLeases {
  readonly token: string
  readonly #database: OpenDatabase<keyof typeof statements>
  readonly #options: LeaseOptions
  readonly #self: LeaseOwner
  readonly #held = new Map<string, OwnedRun>()
  #renewal: ReturnType<typeof setInterval> | null = null

  constructor(database: OpenDatabase<keyof typeof statements>, options: LeaseOptions) {
    this.#database = database
    this.#options = options
    this.#self = thisOwner(options)
    this.token = this.#self.token
  }

  /** Registers this owner before it holds its first lease. */
  hold(id: string, run: OwnedRun): void {
    if (this.#held.size === 0) this.#renew()
    this.keep(id, run)
  }

  /** Restores a lease after the transaction that released it failed. */
  keep(id: string, run: OwnedRun): void {
    this.#renewal ??= setInterval(() => this.#renewLater(), this.#leaseMs / 3).unref()
    this.#held.set(id, run)
  }

  holds(id: string): boolean {
    return this.#held.has(id)
  }

  held(id: string): OwnedRun | undefined {
    return this.#held.get(id)
  }

  /** Acquires the lease of a run. Returns null on success, otherwise the current owner. */
  async take(id: string): Promise<LeaseOwner | null> {
    for (let watched: LeaseOwner | null = null; ;) {
      const other = this.#takeOrNot(id, watched)
      if (other === null || lifeOf(other, this.#options) === "alive" || watched !== null)
        return other
      watched = other
      await sleep(watchMs(this.#options))
    }
  }

  /** Releases a run, within a transaction. */
  drop(id: string): void {
    const run = this.#held.get(id)
    if (run === undefined) return
    const { prepared } = this.#database
    this.lose(id)
    prepared.release.run(run.number, this.token)
    if (this.#held.size === 0) prepared.forget.run(this.token)
  }

  /** Removes a lease after the transaction that took it failed. */
  lose(id: string): void {
    this.#held.delete(id)
    if (this.#held.size > 0 || this.#renewal === null) return
    clearInterval(this.#renewal)
    this.#renewal = null
  }

  /** Releases all runs, within a transaction. */
  dropAll(): void {
    for (const id of this.#held.keys()) this.drop(id)
  }

  /** Returns the owner with this token, unless it is known to be gone. */
  owner(token: string): LeaseOwner | null {
    const row = this.#database.prepared.owner.get(token) as OwnerRow | undefined
    const owner = row === undefined ? null : ownerOf(row)
    return owner === null || lifeOf(owner, this.#options) === "gone" ? null : owner
  }

  get #leaseMs(): number {
    return this.#options.leaseMs ?? defaultLeaseMs
  }

  #takeOrNot(id: string, watched: LeaseOwner | null): LeaseOwner | null {
    try {
      return this.#takeNow(id, watched)
    } catch (error) {
      this.lose(id)
      throw error
    }
  }

  /**
   * `watched` is the earlier state of a doubtful owner. If it was not renewed since, the owner is
   * gone.
   */
  #takeNow(id: string, watched: LeaseOwner | null): LeaseOwner | null {
    const { prepared, atOnce } = this.#database
    return atOnce(() => {
      const row = prepared.ownerOf.get(id) as OwnerRow | undefined
      if (row !== undefined) {
        const owner = ownerOf(row)
        const isGone =
          lifeOf(owner, this.#options) === "gone" ||
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
      // The database is busy. The next renewal may succeed, and an append detects a lost lease.
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
