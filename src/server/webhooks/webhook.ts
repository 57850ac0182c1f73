/** Defines when a failed delivery is retried, and when the server gives up. */
export interface DeliveryRetry {
  /** Delay after the first failed attempt, in milliseconds. Each further delay is twice as long. */
  readonly firstMs: number
  /** Maximum delay in milliseconds. */
  readonly longestMs: number
  /** Time after the first failed attempt at which the server gives up, in milliseconds. */
  readonly giveUpAfterMs: number
}

export const defaultRetry: DeliveryRetry = {
  firstMs: 5_000,
  longestMs: 3_600_000,
  giveUpAfterMs: 3 * 86_400_000,
}

/** Maximum duration of one attempt, unless the webhook file contains another timeout. */
export const defaultTimeoutMs = 15_000

/** Longest timeout that a webhook file may contain. */
export const longestTimeoutMs = 30_000

/** An endpoint of another program that receives the events of runs. */
export interface OutgoingWebhook {
  readonly name: string
  readonly url: URL
  /** Keys with which messages are signed. A message has one signature for each key. */
  readonly keys: readonly Buffer[]
  /** Types of events, such as `run.finished`, or groups of types, such as `run.*`. */
  readonly events: readonly string[]
  /** Ids of the workflows whose runs are reported; null: all workflows. */
  readonly workflows: readonly string[] | null
  readonly timeoutMs: number
  readonly retry: DeliveryRetry
}

/** A route that receives webhooks of other programs and answers pending requests of runs. */
export interface IncomingWebhook {
  readonly name: string
  readonly keys: readonly Buffer[]
  /**
   * The header with the signature of the body as hexadecimal text; null: messages are signed as
   * defined by Standard Webhooks.
   */
  readonly signature: { readonly header: string; readonly prefix: string } | null
  /** Name of the header with the message id, in lower case. */
  readonly idHeader: string
  /**
   * JSON Pointer to the run id in the message body; null: the requests of all runs are searched.
   */
  readonly run: string | null
  /** JSON Pointer to the value in the message body that identifies the pending request. */
  readonly request: string
  /**
   * JSON Pointer to a value in the pending request. It must equal the value that `request` selects
   * in the message body.
   */
  readonly matches: string
  /** JSON Pointer to the answer in the message body. */
  readonly answer: string
}

/** The webhooks of a server. */
export interface WebhookConfig {
  readonly outgoing: readonly OutgoingWebhook[]
  readonly incoming: readonly IncomingWebhook[]
}
