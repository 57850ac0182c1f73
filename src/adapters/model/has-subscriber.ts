import type { DeltaStream } from "../../machines/contract/delta-stream.js"

/**
 * Returns whether to request a stream because the run's events have a subscriber. Waits one turn,
 * so that a caller who has just started or resumed the run can subscribe.
 */
export async function hasSubscriber(live: DeltaStream | undefined): Promise<boolean> {
  if (live === undefined) return false
  await new Promise((resolve) => setTimeout(resolve))
  return live.hasSubscribers()
}
