/** A webhook that receives the events of a server's runs. */
export interface RemoteWebhook {
  readonly name: string
  /** The URL without its query. */
  readonly url: string
  /** The selected events: event types, groups such as `run.*`, or `*` for all events. */
  readonly events: readonly string[]
  /** Ids of the workflows whose events are sent. Absent: the events of all workflows are sent. */
  readonly workflows?: readonly string[]
  /** Number of runs whose delivery to this webhook has failed and is not retried automatically. */
  readonly failed: number
}

/** An incomplete delivery: some of a run's events must still be sent to a webhook. */
export interface RemoteDelivery {
  readonly runId: string
  /** Name of the webhook. */
  readonly receiver: string
  /** `failed` means that no further attempt is made until `retryWebhook` is called. */
  readonly status: "delivering" | "retrying" | "failed"
  /**
   * Number of the run's events that need no further delivery, because the webhook has received them
   * or does not select them.
   */
  readonly position: number
  /** Number of failed attempts to deliver the next event. */
  readonly attempts: number
  /** Time of the next attempt in milliseconds since the epoch; null if there is none. */
  readonly nextAttemptAt: number | null
  /** Time of the first failed attempt in milliseconds since the epoch; null if there is none. */
  readonly failingSince: number | null
  /** Error message of the last failed attempt to deliver the next event; null if there is none. */
  readonly error: string | null
}

/** A server's webhooks, and the deliveries that are not complete. */
export interface RemoteWebhooks {
  readonly webhooks: readonly RemoteWebhook[]
  readonly deliveries: readonly RemoteDelivery[]
}
