import { systemErrorCode } from "../system-error-code.js"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/**
 * An owner of runs, which is a journal object in a process. The owner has a lease for each of its
 * runs. Each journal object is a separate owner, even in the same process.
 */
export interface LeaseOwner {
  readonly token: string
  readonly host: string
  readonly pid: number
  /**
   * Identity of the process in addition to its pid, in the format `<boot id>:<PID namespace>:<start
   * time in ticks>`. It distinguishes processes that have the same pid, and containers or machines
   * that have the same host name. null on systems without `/proc`.
   */
  readonly began: string | null
  /**
   * Time of the last lease renewal in milliseconds since the epoch, measured by the clock of the
   * owner.
   */
  readonly renewedAt: number
}

/**
 * Whether the process that owns a run is still running. `doubtful` means that its lease looks
 * expired, but the process cannot be checked. A process cannot be checked if it is on another
 * machine or in another PID namespace. A lease looks expired if its last renewal, by the local
 * clock, is too old or in the future.
 */
export type OwnerLiveness = "alive" | "gone" | "doubtful"

export interface LeaseOptions {
  /**
   * Duration of a lease in milliseconds. If an owner on another machine has not renewed its leases
   * for this time, another process can take over its runs. An owner renews its leases three times
   * in this time. The duration must therefore be much longer than a write to the disk. Default:
   * 30,000.
   */
  readonly leaseMs?: number
  readonly now?: () => number
  /**
   * Name of this machine or container. It must be unique among the machines that share the journal.
   * Default: the host name. On Linux, machines with the same name are also distinguished by boot id
   * and PID namespace. On other systems, two machines with the same name could take over each
   * other's runs.
   */
  readonly host?: string
}

export const defaultLeaseMs = 30_000

export const thisOwner = ({ now = Date.now, host = hostname() }: LeaseOptions): LeaseOwner => ({
  token: crypto.randomUUID(),
  host,
  pid: process.pid,
  began: beganAt(process.pid),
  renewedAt: now(),
})

/**
 * Returns whether the owner of a run is alive. If the owner's process is in the same PID namespace,
 * only its pid is checked. For any other process, the time of the last lease renewal is checked.
 * The result is then never `gone`, because clocks may be wrong. If the result is `doubtful`, the
 * caller must wait and check whether the owner renews its lease.
 */
export function livenessOf(
  owner: LeaseOwner,
  { now = Date.now, host = hostname(), leaseMs = defaultLeaseMs }: LeaseOptions,
): OwnerLiveness {
  if (owner.host === host && isNear(owner)) return isRunning(owner) ? "alive" : "gone"
  return Math.abs(now() - owner.renewedAt) <= leaseMs ? "alive" : "doubtful"
}

/**
 * Returns how long a process must watch a lease that looks expired before it takes over the lease,
 * in milliseconds. This time is longer than a lease. Therefore an owner that missed its renewal
 * notices this before it writes again.
 */
export const watchMs = ({ leaseMs = defaultLeaseMs }: LeaseOptions): number => leaseMs * 1.2

export const ownerWords = ({ pid, host, began }: LeaseOwner): string =>
  pid === process.pid && host === hostname() && began === beganAt(pid)
    ? `this process (${pid})`
    : `process ${pid} on ${host}`

/**
 * Returns whether this process can look up the pid of a run's owner. This is possible only if the
 * owner's process has the same boot id and the same PID namespace as this process.
 */
function isNear({ began }: LeaseOwner): boolean {
  const ownStart = beganAt(process.pid)
  return began === null || ownStart === null
    ? began === ownStart
    : spaceOf(began) === spaceOf(ownStart)
}

const spaceOf = (began: string): string => began.slice(0, began.lastIndexOf(":"))

function isRunning({ pid, began }: LeaseOwner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if (systemErrorCode(error) === "ESRCH") return false
  }
  const now = beganAt(pid)
  return now === "dead" ? false : began === null || now === null || now === began
}

/**
 * Returns the identity of a process in this PID namespace, in the format of `LeaseOwner.began`.
 * Returns `dead` for a process that has ended but was not reaped (a zombie). Returns null if the
 * identity is unknown.
 */
function beganAt(pid: number): string | null {
  try {
    // The `/proc` of another PID namespace maps the same pids to other processes.
    if (readlinkSync("/proc/self") !== String(process.pid)) return null
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? ""
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the process name in brackets. The name may contain any characters.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === "Z" || state === "X" ? "dead" : `${boot}:${namespace}:${fields[18]}`
  } catch {
    // The system is not Linux, or the process has just ended. The next check detects the latter.
    return null
  }
}
