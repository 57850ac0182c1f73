import { createHash } from "node:crypto"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { DeliveryTarget } from "./delivery-target.js"
import { isSelected } from "./event-types.js"
import { signedHeaders } from "./signature.js"
import type { OutgoingWebhook } from "./webhook.js"

/** Maximum size of a webhook message in characters. */
const longestBody = 256 * 1024

/** Returns the message id for a run event. It is the same for all attempts and servers. */
export const messageIdOf = ({ runId, seq }: Pick<RunEvent, "runId" | "seq">): string =>
  `msg_${createHash("sha256")
    .update(JSON.stringify([runId, seq]))
    .digest("hex")
    .slice(0, 32)}`

/** Converts a webhook of the webhook file to a receiver of run events. */
export const outgoingTarget = ({
  url,
  timeoutMs,
  retry,
  events,
  keys,
}: OutgoingWebhook): DeliveryTarget => ({
  url,
  // The operator of the server has configured this URL, so its host may be private.
  publicOnly: false,
  timeoutMs,
  retry,
  selects: (event) => isSelected(events, event),
  request(event, now) {
    const body = bodyOf(event)
    const id = messageIdOf(event)
    const timestamp = Math.floor(now / 1_000)
    return { headers: signedHeaders(keys, { id, timestamp, body }), body }
  },
})

/**
 * Returns the body of the webhook message for a run event. If the body would be too large, it
 * contains only the type, time, run id and sequence number of the event.
 */
function bodyOf(event: RunEvent): string {
  const { type, seq, at, runId } = event
  const about = { type, timestamp: new Date(at).toISOString() }
  const body = JSON.stringify({ ...about, data: event })
  return body.length <= longestBody
    ? body
    : JSON.stringify({ ...about, data: { type, seq, at, runId, isTooLarge: true } })
}
