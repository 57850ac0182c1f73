import type { LiveAnswer } from "../../machines/contract/services.js"

/** Whether a model is to be asked for a stream: somebody listens. Whoever has just started a run, or taken one up, is given a turn to begin to. */
export async function hasSubscriber(live: LiveAnswer | undefined): Promise<boolean> {
  if (live === undefined) return false
  await new Promise((resolve) => setTimeout(resolve))
  return live.isHeard()
}
