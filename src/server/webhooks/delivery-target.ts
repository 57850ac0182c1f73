import type { RunEvent } from "../../machines/contract/run-event.js"
import type { DeliveryRetry } from "./webhook.js"

/** An HTTP POST request that delivers a run event. */
export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver of run events, such as a webhook. */
export interface DeliveryTarget {
  readonly url: URL
  /** Whether to connect only to public IP addresses. True if a client has chosen the URL. */
  readonly publicOnly: boolean
  readonly timeoutMs: number
  readonly retry: DeliveryRetry
  /** Returns whether a run event must be sent to this receiver. */
  selects(event: RunEvent): boolean
  /**
   * Creates the HTTP request that delivers a run event. `now` is the time of the attempt in
   * milliseconds since the epoch.
   */
  request(event: RunEvent, now: number): DeliveryRequest | Promise<DeliveryRequest>
}
