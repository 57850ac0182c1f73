import { setImmediate } from "node:timers/promises"
import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Start time of runs that reproduce a counterexample, in milliseconds since the epoch. It is fixed,
 * because these runs have a simulated clock.
 */
export const startTime = 1_700_000_000_000

/**
 * Waits until a run emits no more events and makes no more calls. The run has then processed its
 * last answer.
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

/**
 * Returns whether a conversation waits for the next user message, according to the events of its
 * run.
 */
export const isIdle = (events: readonly RunEvent[]): boolean =>
  events.findLast(({ type }) => type === "invocation.finished" || type === "user.said")?.type ===
  "invocation.finished"
