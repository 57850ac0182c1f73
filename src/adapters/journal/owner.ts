import { readFileSync } from "node:fs"
import { hostname } from "node:os"

/** Who carries runs on: one journal object of one process. */
export interface Owner {
  readonly token: string
  readonly host: string
  readonly pid: number
  /** Tells apart two processes that had one pid; null where the system does not say when a process began. */
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
  /** What this machine is called among those that share the journal; its host name unless given. */
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
 * On one machine no clock is asked: a process is there or it is not. Between machines the clock may only raise a doubt, since
 * it can jump in either direction; a doubt is settled by watching whether the lease is renewed.
 */
export function lifeOf(
  owner: Owner,
  { now = Date.now, host = hostname(), leaseMs = defaultLeaseMs }: LeaseOptions,
): OwnerLife {
  if (owner.host === host) return isRunning(owner) ? "alive" : "gone"
  return Math.abs(now() - owner.renewedAt) <= leaseMs ? "alive" : "doubtful"
}

/**
 * How long a doubtful lease is watched: longer than it lasts, so that an owner who has not renewed it meanwhile knows by his own
 * clock that he has to look before he stores anything.
 */
export const watchMs = ({ leaseMs = defaultLeaseMs }: LeaseOptions): number => leaseMs * 1.2

export const ownerWords = ({ pid, host }: Owner): string =>
  pid === process.pid && host === hostname() ? `this process (${pid})` : `process ${pid} on ${host}`

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

/** When a process began, as Linux tells it: since which boot, and how many ticks after it. A killed one that nobody has waited for is `dead`. */
function beganAt(pid: number): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the name in brackets, which may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === "Z" || state === "X" ? "dead" : `${boot}:${fields[18]}`
  } catch {
    // No Linux, or the process went meanwhile, which the next look tells.
    return null
  }
}
