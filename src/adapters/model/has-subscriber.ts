import type { DeltaStream } from "../../machines/contract/delta-stream.js"

/**
 * Returns whether the events of a run have a subscriber. Responses are streamed only in this case.
 * Waits for one turn of the event loop first, so that a program that has just started the run can
 * subscribe.
 */
export async function hasSubscriber(live: DeltaStream | undefined): Promise<boolean> {
  if (live === undefined) return false
  await new Promise((resolve) => setTimeout(resolve))
  return live.hasSubscribers()
}
