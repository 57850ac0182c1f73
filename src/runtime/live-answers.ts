import type { LiveAnswer, ModelRequest } from "../machines/contract.js"
import type { Announcement } from "../machines/run-event.js"
import type { EventLog } from "./event-log.js"
import type { LeafCall } from "./host.js"

/** What a model says while it says it, as an event of its call. */
export function deltaOf({ agent, path, branch, idempotencyKey, attempt }: ModelRequest, text: string): Announcement {
  return { type: "model.delta", agent, path, branch, call: idempotencyKey, attempt, text }
}

/** Tells the deltas of the model calls of a run to whoever listens to its events; other calls have none. */
export const liveAnswers =
  (log: EventLog, now: () => number) =>
  ({ src, input }: LeafCall): LiveAnswer | undefined => {
    if (src !== "callModel") return undefined
    const { request } = input as { readonly request: ModelRequest }
    return {
      isHeard: () => log.isHeard,
      tell: (text) => log.tell(now(), deltaOf(request, text)),
    }
  }
