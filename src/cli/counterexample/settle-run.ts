import { setImmediate } from "node:timers/promises"
import type { RunEvent } from "../../machines/contract/run-event.js"

/** Time at which a run that plays a counterexample starts, in milliseconds since the epoch. */
export const startTime = 1_700_000_000_000

/**
 * Waits until a run emits no more events and makes no more calls, so that its last answer is
 * processed.
 */
export async function settleRun(
  events: readonly RunEvent[],
  calls: readonly unknown[],
): Promise<void> {
  for (let quiet = 0, before = ""; quiet < 4;) {
    await setImmediate()
    const now = `${events.length} ${calls.length}`
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
}

/** Returns whether a run with these events is idle between two invocations. */
export const isIdle = (events: readonly RunEvent[]): boolean =>
  events.findLast(({ type }) => type === "invocation.finished" || type === "user.said")?.type ===
  "invocation.finished"
