import { systemErrorCode } from "../system-error-code.js"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** The owner of leases: one journal object in one process. */
export interface LeaseOwner {
  readonly token: string
  readonly host: string
  readonly pid: number
  /**
   * Identifies the process beyond its pid, as `<boot id>:<namespace>:<ticks>`: boot, PID namespace
   * and start time. It distinguishes processes that reuse a pid, and containers or machines with
   * the same host name. null on systems without `/proc`.
   */
  readonly began: string | null
  /** Time of the last renewal, by the clock of the owner, in milliseconds since the epoch. */
  readonly renewedAt: number
}

/**
 * `doubtful`: the owner is on another machine, and by the local clock its renewal is too old or in
 * the future.
 */
export type OwnerLife = "alive" | "gone" | "doubtful"

export interface LeaseOptions {
  /**
   * Time without renewal in milliseconds after which the runs of an owner on another machine can be
   * taken over. Default 30,000.
   */
  readonly leaseMs?: number
  readonly now?: () => number
  /**
   * Name of this machine or container among those that share the journal. Default: the host name.
   * On Linux, machines with the same name are distinguished by boot id and PID namespace. On other
   * systems set a unique name; otherwise two machines with the same host name take each other's
   * runs.
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
 * Determines whether an owner is alive. In the same PID namespace the pid is sufficient and no
 * clock is used. Otherwise the clock can only raise a doubt, because it may jump; watching for a
 * renewal resolves the doubt.
 */
export function lifeOf(
  owner: LeaseOwner,
  { now = Date.now, host = hostname(), leaseMs = defaultLeaseMs }: LeaseOptions,
): OwnerLife {
  if (owner.host === host && isNear(owner)) return isRunning(owner) ? "alive" : "gone"
  return Math.abs(now() - owner.renewedAt) <= leaseMs ? "alive" : "doubtful"
}

/**
 * Returns how long to watch a doubtful lease, in milliseconds. It is longer than the lease, so that
 * an owner that missed its renewal notices by its own clock before it writes again.
 */
export const watchMs = ({ leaseMs = defaultLeaseMs }: LeaseOptions): number => leaseMs * 1.2

export const ownerWords = ({ pid, host, began }: LeaseOwner): string =>
  pid === process.pid && host === hostname() && began === beganAt(pid)
    ? `this process (${pid})`
    : `process ${pid} on ${host}`

/**
 * Returns whether a pid of this owner refers to the same process here: same boot and same PID
 * namespace.
 */
function isNear({ began }: LeaseOwner): boolean {
  const here = beganAt(process.pid)
  return began === null || here === null ? began === here : spaceOf(began) === spaceOf(here)
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
 * Returns `LeaseOwner.began` for a process of this PID namespace on Linux, or `dead` for a terminated
 * process that was not reaped.
 */
function beganAt(pid: number): string | null {
  try {
    // The `/proc` of another PID namespace maps the same pids to other processes.
    if (readlinkSync("/proc/self") !== String(process.pid)) return null
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? ""
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the process name in brackets, which may contain anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === "Z" || state === "X" ? "dead" : `${boot}:${namespace}:${fields[18]}`
  } catch {
    // Not Linux, or the process has just ended, which the next check detects.
    return null
  }
}
