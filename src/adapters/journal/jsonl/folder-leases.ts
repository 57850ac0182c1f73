import { systemErrorCode } from "../../system-error-code.js"
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { LeaseOptions, LeaseOwner, OwnerLiveness } from "../owner.js"
import { defaultLeaseMs, livenessOf, thisOwner, watchMs } from "../owner.js"

/**
 * Maximum number of attempts to acquire the lease of a run. If two owners try at the same time,
 * both attempts may fail.
 */
const attempts = 5

/**
 * The leases of runs, stored as files. A lease is the exclusive right of a process to change a run.
 * The file `.owners/<token>.json` identifies an owner, who renews the file while it has at least
 * one lease. The empty file `.leases/<run>/<token>.<n>` is a claim to a run. An owner first writes
 * its claim and then looks for other claims. If two owners compete, at least one of them therefore
 * sees the claim of the other. A claim is removed only by its owner, or by others after its owner
 * is gone. The names of claims are unique, so a newer claim is never removed by mistake.
 */
export class FolderLeases {
  readonly #folder: string
  readonly #options: LeaseOptions
  readonly #self: LeaseOwner
  /**
   * The claim files of this owner. A claim file marks that this owner has the lease of a run. Keys
   * are the names of runs, and values are the names of claim files.
   */
  readonly #leases = new Map<string, string>()
  #claims = 0
  #renewal: ReturnType<typeof setInterval> | null = null
  /**
   * Time of the last lease renewal, measured by the monotonic clock (`elapsed`) and by the system
   * clock (`clock`). Both are needed, because one of the clocks may stop while the machine sleeps.
   */
  #renewed = { elapsed: 0, clock: 0 }

  constructor(folder: string, options: LeaseOptions) {
    this.#folder = folder
    this.#options = options
    this.#self = thisOwner(options)
  }

  /**
   * Acquires the lease of a run, which is the exclusive right to change the run. Returns null on
   * success. If the run has another owner, returns that owner.
   */
  async take(name: string): Promise<LeaseOwner | null> {
    for (let attempt = 1; ; attempt++) {
      this.#claim(name)
      const [other] = await this.#others(name)
      if (other === undefined) return null
      this.drop(name)
      if (attempt === attempts) return other
      await sleep(Math.random() * 20)
    }
  }

  drop(name: string): void {
    const flag = this.#leases.get(name)
    if (flag === undefined) return
    this.#leases.delete(name)
    remove(this.#flag(name, flag))
    removeFolder(join(this.#folder, ".leases", name))
    if (this.#leases.size > 0) return
    if (this.#renewal !== null) clearInterval(this.#renewal)
    this.#renewal = null
    remove(this.#identity(this.#self.token))
  }

  /**
   * Returns whether this owner still has the lease of a run. If the last renewal was late, another
   * owner may have taken over the lease. In this case, the claim file of this owner is checked too.
   */
  holds(name: string): boolean {
    const flag = this.#leases.get(name)
    if (flag === undefined) return false
    return !this.#isLate() || namesIn(join(this.#folder, ".leases", name)).includes(flag)
  }

  /**
   * Returns the owner of a run. Returns null if the run has no owner, or if the process of its
   * owner has ended.
   */
  async holder(name: string): Promise<LeaseOwner | null> {
    if (this.#leases.has(name)) return this.#self
    const owners = namesIn(join(this.#folder, ".leases", name)).map((flag) =>
      this.#read(tokenOf(flag)),
    )
    return (
      owners.find((owner) => owner !== null && livenessOf(owner, this.#options) !== "gone") ?? null
    )
  }

  get #leaseMs(): number {
    return this.#options.leaseMs ?? defaultLeaseMs
  }

  #claim(name: string): void {
    if (this.#leases.size === 0) {
      mkdirSync(join(this.#folder, ".owners"), { recursive: true })
      this.#renew()
      this.#renewal = setInterval(() => this.#renew(), this.#leaseMs / 3).unref()
    }
    this.#leases.set(name, `${this.#self.token}.${this.#claims++}`)
    try {
      this.#writeFlag(name)
    } catch (error) {
      this.drop(name)
      throw error
    }
  }

  #writeFlag(name: string): void {
    for (let attempt = 1; ; attempt++) {
      mkdirSync(join(this.#folder, ".leases", name), { recursive: true })
      try {
        return writeFileSync(this.#flag(name, this.#leases.get(name) ?? ""), "")
      } catch (error) {
        // The folder is missing because another owner has just released the run and removed it.
        if (systemErrorCode(error) !== "ENOENT" || attempt === attempts) throw error
      }
    }
  }

  /**
   * Returns the other owners that claim the lease of a run. Removes the claims of owners that have
   * ended or no longer renew their leases.
   */
  async #others(name: string): Promise<readonly LeaseOwner[]> {
    const found: LeaseOwner[] = []
    for (const flag of namesIn(join(this.#folder, ".leases", name))) {
      if (flag === this.#leases.get(name)) continue
      const owner = this.#read(tokenOf(flag))
      if (owner !== null && (await this.#life(owner)) === "alive") found.push(owner)
      else remove(this.#flag(name, flag))
    }
    return found
  }

  async #life(owner: LeaseOwner): Promise<OwnerLiveness> {
    const life = livenessOf(owner, this.#options)
    if (life !== "doubtful") return life
    await sleep(watchMs(this.#options))
    return this.#read(owner.token)?.renewedAt === owner.renewedAt ? "gone" : "alive"
  }

  /**
   * Returns whether the last lease renewal of this owner was so late that another owner may have
   * taken over the leases.
   */
  #isLate(): boolean {
    const { elapsed, clock } = this.#renewed
    return Math.max(performance.now() - elapsed, this.#now() - clock) > this.#leaseMs
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }

  #renew(): void {
    if (this.#renewal !== null && this.#isLate())
      for (const name of this.#leases.keys()) if (!this.holds(name)) this.#leases.delete(name)
    const file = this.#identity(this.#self.token)
    try {
      writeFileSync(`${file}.new`, JSON.stringify({ ...this.#self, renewedAt: this.#now() }))
      renameSync(`${file}.new`, file)
      this.#renewed = { elapsed: performance.now(), clock: this.#now() }
    } catch (error) {
      // Only the first failure is thrown. After later failures, `holds` checks the claim files, and
      // the next renewal may succeed.
      if (this.#renewal === null) throw error
    }
  }

  /**
   * Reads the file that describes the owner with a token. Returns null if this owner has released
   * all of its runs.
   */
  #read(token: string): LeaseOwner | null {
    try {
      return JSON.parse(readFileSync(this.#identity(token), "utf8")) as LeaseOwner
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return null
      throw error
    }
  }

  #identity(token: string): string {
    return join(this.#folder, ".owners", `${token}.json`)
  }

  #flag(name: string, flag: string): string {
    return join(this.#folder, ".leases", name, flag)
  }
}

const tokenOf = (flag: string): string => flag.slice(0, flag.indexOf("."))

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return []
    throw error
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    // Other errors are thrown. These codes mean that the folder contains the claim of another
    // owner, or that another owner has already removed the folder.
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemErrorCode(error) ?? "")) throw error
  }
}
