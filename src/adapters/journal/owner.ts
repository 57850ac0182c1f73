import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** Who carries runs on: one journal object of one process. */
export interface Owner {
  readonly token: string
  readonly host: string
  readonly pid: number
  /**
   * Boot, PID namespace and start time of the process, as `<boot id>:<namespace>:<ticks>`. It distinguishes two processes that had one pid,
   * and two containers or machines that have one host name. null where the system has no `/proc`.
   */
  readonly began: string | null
  /** When it said last that it is alive, by its own clock. */
  readonly renewedAt: number
}

/** `doubtful`: on another machine, and by this clock it has been silent for too long, or it speaks from the future. */
export type OwnerLife = "alive" | "gone" | "doubtful"

export interface LeaseOptions {
  /** How long an owner on another machine may be silent before its runs can be taken; default 30 seconds. */
  readonly leaseMs?: number
  readonly now?: () => number
  /**
   * The name of this machine or container among those that share the journal; its host name by default. On Linux, containers and machines
   * with one name are distinguished by their boot id and PID namespace. Set it where that is not possible: on other systems, two machines
   * with one host name take each other's runs.
   */
  readonly host?: string
}

export const defaultLeaseMs = 30_000

export const thisOwner = ({ now = Date.now, host = hostname() }: LeaseOptions): Owner => ({
  token: crypto.randomUUID(),
  host,
  pid: process.pid,
  began: beganAt(process.pid),
  renewedAt: now(),
})

/**
 * Within one PID namespace no clock is asked: a process is there or it is not. A pid of another namespace says nothing here. Between
 * namespaces and machines the clock may only raise a doubt, since
 * it can jump in either direction; a doubt is settled by watching whether the lease is renewed.
 */
export function lifeOf(
  owner: Owner,
  { now = Date.now, host = hostname(), leaseMs = defaultLeaseMs }: LeaseOptions,
): OwnerLife {
  if (owner.host === host && isNear(owner)) return isRunning(owner) ? "alive" : "gone"
  return Math.abs(now() - owner.renewedAt) <= leaseMs ? "alive" : "doubtful"
}

/**
 * How long a doubtful lease is watched: longer than it lasts, so that an owner who has not renewed it meanwhile knows by his own
 * clock that he has to look before he stores anything.
 */
export const watchMs = ({ leaseMs = defaultLeaseMs }: LeaseOptions): number => leaseMs * 1.2

export const ownerWords = ({ pid, host, began }: Owner): string =>
  pid === process.pid && host === hostname() && began === beganAt(pid)
    ? `this process (${pid})`
    : `process ${pid} on ${host}`

/** Whether a pid of this owner means the same process here: same boot of one machine, same PID namespace. */
function isNear({ began }: Owner): boolean {
  const here = beganAt(process.pid)
  return began === null || here === null ? began === here : spaceOf(began) === spaceOf(here)
}

const spaceOf = (began: string): string => began.slice(0, began.lastIndexOf(":"))

function isRunning({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false
  }
  const now = beganAt(pid)
  return now === "dead" ? false : began === null || now === null || now === began
}

/** `Owner.began` of a process of this PID namespace, as Linux has it. A killed process that nobody has waited for is `dead`. */
function beganAt(pid: number): string | null {
  try {
    // The `/proc` of another PID namespace has other processes under the same pids.
    if (readlinkSync("/proc/self") !== String(process.pid)) return null
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? ""
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the name in brackets, which may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === "Z" || state === "X" ? "dead" : `${boot}:${namespace}:${fields[18]}`
  } catch {
    // No Linux, or the process went meanwhile, which the next look tells.
    return null
  }
}
