/** Defines when the server retries a failed delivery, and when it gives up. */
export interface DeliveryRetry {
  /** Delay after the first failed attempt, in milliseconds. Each further delay is twice as long. */
  readonly firstMs: number
  /** Maximum delay between two attempts in milliseconds. */
  readonly longestMs: number
  /** Time after the first failed attempt at which the server gives up, in milliseconds. */
  readonly giveUpAfterMs: number
}

export const defaultRetry: DeliveryRetry = {
  firstMs: 5_000,
  longestMs: 3_600_000,
  giveUpAfterMs: 3 * 86_400_000,
}

/**
 * Maximum duration of one delivery attempt in milliseconds, unless the webhook file sets a timeout.
 */
export const defaultTimeoutMs = 15_000

/** Longest timeout that a webhook file can set, in milliseconds. */
export const longestTimeoutMs = 30_000

/** An endpoint of another program to which the server sends run events. */
export interface OutgoingWebhook {
  readonly name: string
  readonly url: URL
  /** Keys for signing messages. Each message has one signature for each key. */
  readonly keys: readonly Buffer[]
  /** Types of the reported events, such as `run.finished`, or groups of types, such as `run.*`. */
  readonly events: readonly string[]
  /** Ids of the workflows whose runs are reported. Null reports all workflows. */
  readonly workflows: readonly string[] | null
  readonly timeoutMs: number
  readonly retry: DeliveryRetry
}

/**
 * A route on which the server receives messages from other programs that answer pending requests.
 */
export interface IncomingWebhook {
  readonly name: string
  readonly keys: readonly Buffer[]
  /**
   * Header that contains the signature of the body as hexadecimal text. Null if messages are signed
   * in the format of Standard Webhooks.
   */
  readonly signature: { readonly header: string; readonly prefix: string } | null
  /** Name of the header with the message id, in lower case. */
  readonly idHeader: string
  /**
   * JSON Pointer to the run id in the message body. If it is null, the pending requests of all runs
   * are searched.
   */
  readonly run: string | null
  /** JSON Pointer to the value in the message body that identifies the pending request. */
  readonly request: string
  /**
   * JSON Pointer to a value in the pending request. The message answers the request if this value
   * equals the value in the message body to which the field `request` points.
   */
  readonly matches: string
  /** JSON Pointer to the answer in the message body. */
  readonly answer: string
}

/** All webhooks of a server. */
export interface WebhookConfig {
  readonly outgoing: readonly OutgoingWebhook[]
  readonly incoming: readonly IncomingWebhook[]
}
