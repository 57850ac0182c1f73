import type { DeltaStream } from "../../machines/contract/delta-stream.js"

/**
 * Returns whether a program has subscribed to the events of a run. Responses of models are streamed
 * only in this case. The function waits for one turn of the event loop first, so that a program
 * that has just started the run can subscribe.
 */
export async function hasSubscriber(live: DeltaStream | undefined): Promise<boolean> {
  if (live === undefined) return false
  await new Promise((resolve) => setTimeout(resolve))
  return live.hasSubscribers()
}
