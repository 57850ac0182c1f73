/** A webhook that receives the events of a server's runs. */
export interface RemoteWebhook {
  readonly name: string
  /** URL to which the events are sent. The query string is omitted. */
  readonly url: string
  /**
   * The events that the webhook selects. Each entry is an event type, a group such as `run.*`, or
   * `*` for all events.
   */
  readonly events: readonly string[]
  /**
   * Ids of the workflows whose run events are sent. If absent, the events of all workflows are
   * sent.
   */
  readonly workflows?: readonly string[]
  /**
   * Number of runs whose event delivery to this webhook has failed. These deliveries are not
   * retried automatically.
   */
  readonly failed: number
}

/**
 * An incomplete delivery to a webhook. The webhook has not received all selected events of the run
 * `runId`.
 */
export interface RemoteDelivery {
  readonly runId: string
  /** Name of the webhook that receives the events. */
  readonly receiver: string
  /**
   * `delivering` and `retrying` deliveries continue automatically. `failed` means that no further
   * attempt is made until `retryWebhook` is called.
   */
  readonly status: "delivering" | "retrying" | "failed"
  /**
   * Number of events, counted from the start of the run, that need no further delivery. The webhook
   * has received them or does not select them.
   */
  readonly position: number
  /** Number of failed attempts to deliver the next event. 0 after a success. */
  readonly attempts: number
  /** Time of the next attempt in milliseconds since the epoch. Null if no attempt is planned. */
  readonly nextAttemptAt: number | null
  /**
   * Time of the first failed attempt to deliver the next event, in milliseconds since the epoch.
   * Null if no attempt has failed.
   */
  readonly failingSince: number | null
  /**
   * Error message of the last failed attempt to deliver the next event. Null if no attempt has
   * failed.
   */
  readonly error: string | null
}

/** A server's webhooks, and the event deliveries that are not complete. */
export interface RemoteWebhooks {
  readonly webhooks: readonly RemoteWebhook[]
  readonly deliveries: readonly RemoteDelivery[]
}
