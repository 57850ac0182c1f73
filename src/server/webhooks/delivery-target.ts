import type { RunEvent } from "../../machines/contract/run-event.js"
import type { DeliveryRetry } from "./webhook.js"

/** A POST request that delivers an event. */
export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver of the events of runs. */
export interface DeliveryTarget {
  readonly url: URL
  /** Whether to connect only to public IP addresses. Set if a client has chosen the URL. */
  readonly publicOnly: boolean
  readonly timeoutMs: number
  readonly retry: DeliveryRetry
  /** Returns whether an event must be sent to this receiver. */
  selects(event: RunEvent): boolean
  /**
   * Returns the HTTP request that delivers an event. `now` is the time of the attempt in
   * milliseconds since the epoch.
   */
  request(event: RunEvent, now: number): DeliveryRequest | Promise<DeliveryRequest>
}
