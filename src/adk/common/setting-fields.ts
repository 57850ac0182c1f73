// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates
// this file.

type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"

/** The HTTP endpoint of an agent or a tool. */
export interface HttpConfig {
  /** An absolute `http` or `https` address. */
  readonly url: string
  /** GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS, in upper or lower case. */
  readonly method: HttpMethod
  /** An object. Values that are not text (numbers, objects, lists) are sent as JSON. */
  readonly headers?: Readonly<Record<string, unknown>>
  /**
   * An object, or one template whose value is an object: `"{{ state.extra }}"`. The fields in the
   * body of an LlmAgent are sent in addition to `messages`, `tools` and `state`.
   */
  readonly body?: Readonly<Record<string, unknown>> | string
}

/** The retries of a call. */
export interface RetryPolicyConfig {
  /** Maximum attempts, including the first one. Default: `1`. */
  readonly maximumAttempts?: number
  /** Delay before the second attempt. Default: `"1s"`. */
  readonly initialInterval?: string
  /** Factor by which each further delay increases, 1 or greater. Default: `2`. */
  readonly backoffCoefficient?: number
  /**
   * Maximum delay. It also limits the `Retry-After` of a service. Without it, `Retry-After` can
   * delay an attempt by up to one hour.
   */
  readonly maximumInterval?: string
}

/** Timeouts and retries of a call. Durations are strings such as `30s` or `5 minutes`. */
export interface ActivityConfig {
  /** Maximum duration of one attempt. */
  readonly startToCloseTimeout?: string
  /** Maximum duration of all attempts together. */
  readonly scheduleToCloseTimeout?: string
  /** The number of attempts, and the delays between them. */
  readonly retryPolicy?: RetryPolicyConfig
}

/** The items for which a ParallelAgent runs its sub-agent. */
export interface ForEachConfig {
  /**
   * An expression in the language of conditions that returns the list of items, such as
   * `session_state['documents']`.
   */
  readonly items: string
  /**
   * State key of the item inside a branch. The key `<as>_index` contains its index, starting at 0.
   * Default: `"item"`.
   */
  readonly as?: string
  /**
   * The key that each branch writes, by the state key that receives the list of these values:
   * `{"summaries": "summary"}`. Default: `{}`.
   */
  readonly collect?: Readonly<Record<string, string>>
  /** Maximum number of items. If the list is longer, the block fails. Default: `1000`. */
  readonly maxItems?: number
}

/** A reference with which a container runs an agent. */
export interface SubAgentReference {
  readonly agentId: string
  /** Condition for running the agent. If it is false, the agent is skipped. */
  readonly when?: string
}
