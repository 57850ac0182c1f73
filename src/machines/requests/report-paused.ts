import type { Step } from "../contract/machine-kind.js"
import type { StatePatch } from "../data/session-state.js"
import { emptyPatch } from "../data/session-state.js"

/**
 * Notifies the parent machine that this machine waits for a person or a long-running tool.
 *
 * @param patch State changes of this machine so far, which the run reports while the machine waits.
 * @param text The text of the agent before it started to wait, or null.
 */
export const sendPaused = (
  step: Step,
  at: number,
  patch: StatePatch = emptyPatch,
  text: string | null = null,
): void => step.sendParent({ type: "child.paused", patch, text, at })

/**
 * Notifies the parent machine that this machine no longer waits for a person or a long-running
 * tool.
 */
export const sendResumed = (step: Step): void => step.sendParent({ type: "child.resumed" })

/**
 * Notifies the parent machine if this machine has started or stopped waiting for a person or a
 * tool. Stores the new value in `context.paused`, so that the same notification is not sent twice.
 */
export function reportPaused(
  context: { paused: boolean; readonly at: number },
  paused: boolean,
  step: Step,
  patch: StatePatch = emptyPatch,
): void {
  if (paused === context.paused) return
  context.paused = paused
  if (paused) sendPaused(step, context.at, patch)
  else sendResumed(step)
}
