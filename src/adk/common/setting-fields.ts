// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates
// this file.

import type { FailureClass } from "../../machines/contract/activity.js"

type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"

/** The HTTP endpoint of an agent or a tool. */
export interface HttpConfig {
  /** An absolute `http` or `https` address. */
  readonly url: string
  /** GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS, in upper or lower case. */
  readonly method: HttpMethod
  /**
   * Headers of the HTTP request, by name. Values that are not text (numbers, objects, lists) are
   * sent as JSON.
   */
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

/** Timeouts and retries of a model call. Durations are strings such as `30s` or `5 minutes`. */
export interface ModelActivityConfig {
  /** Maximum duration of one attempt. */
  readonly startToCloseTimeout?: string
  /** Maximum duration of all attempts together. */
  readonly scheduleToCloseTimeout?: string
  /** The number of attempts, and the delays between them. */
  readonly retryPolicy?: RetryPolicyConfig
  /**
   * Only for the model calls of an LlmAgent without `httpConfig`: maximum time between two parts of
   * a streamed response.
   */
  readonly idleTimeout?: string
}

/** A model that is called if the models before it fail. */
export interface ModelFallbackConfig {
  /** Name of a model that is registered with the runner. */
  readonly model?: string
  /** URL and method of the service that is called, if the agent has an `httpConfig`. */
  readonly httpConfig?: HttpConfig
  /**
   * The classes of failures after which this fallback model is called: `timeout`, `rate_limited`,
   * `unavailable`, `malformed`, `context_too_long` and `refused`. Default: all except `refused`.
   */
  readonly on?: FailureClass | readonly FailureClass[]
}

/** A model that is called instead of the agent's own model if a condition is true. */
export interface ModelRouteConfig {
  /** A condition that reads the session state. If it is true, this route is used. */
  readonly when: string
  /** Name of a model that is registered with the runner. */
  readonly model?: string
  /** URL and method of the service that is called, if the agent has an `httpConfig`. */
  readonly httpConfig?: HttpConfig
}

/** The limit for the conversation of an LlmAgent. */
export interface CompactionConfig {
  /**
   * Maximum number of tokens of a model call. If the next call has more tokens, the oldest messages
   * are summarized first. This field is required if `interval` is missing. Default: no maximum.
   */
  readonly maxTokens?: number
  /**
   * Number of user messages after which the conversation is summarized. The next user message
   * triggers the summary, which replaces all messages before it. Default: no interval.
   */
  readonly interval?: number
  /**
   * Number of user messages that each summary shares with the previous summary. The next summary
   * reads these messages and the responses to them again.
   */
  readonly overlap?: number
  /**
   * Maximum number of recent messages that are not summarized. If they do not fit in half of
   * `maxTokens`, fewer messages are kept. Default: as many as fit in half of `maxTokens`.
   */
  readonly keepMessages?: number
  /** Name of the registered model that writes the summaries. Default: the model of the agent. */
  readonly model?: string
  /**
   * The instructions for the summaries. The text is sent unchanged. Default: asks for a short
   * summary.
   */
  readonly instructions?: string
}

/** A check of the input of an LlmAgent. */
export interface InputGuardrailConfig {
  /**
   * The name of the guardrail in events, errors and drawings. Default: the name of the function.
   */
  readonly name?: string
  /** Name of the host function that checks the text. */
  readonly service?: string
  /**
   * Describes when the guardrail trips. A model receives the instructions and the text. The
   * instructions are sent unchanged.
   */
  readonly instructions?: string
  /**
   * Name of the registered model with which the guardrail checks texts. Default: the model of the
   * agent.
   */
  readonly model?: string
  /**
   * `before`: the model is called after the guardrail has passed. `beside`: the model is called at
   * the same time. Its response is used after the guardrail has passed. Default: `"before"`.
   */
  readonly mode?: "before" | "beside"
  /**
   * `fail`: the agent fails with `guardrail_tripped`. `answer`: the agent answers with the text in
   * `answer`. `replace`: the model receives the `replacement` of the verdict instead of the user
   * message. `replace` is not possible with `mode: beside`. Default: `"fail"`.
   */
  readonly onTrip?: "fail" | "answer" | "replace"
  /** The text of the agent if the guardrail trips, with `onTrip: "answer"`. */
  readonly answer?: string
}

/** A check of the final texts of an LlmAgent. */
export interface OutputGuardrailConfig {
  /**
   * The name of the guardrail in events, errors and drawings. Default: the name of the function.
   */
  readonly name?: string
  /** Name of the host function that checks the text. */
  readonly service?: string
  /**
   * Describes when the guardrail trips. A model receives the instructions and the text. The
   * instructions are sent unchanged.
   */
  readonly instructions?: string
  /**
   * Name of the registered model with which the guardrail checks texts. Default: the model of the
   * agent.
   */
  readonly model?: string
  /**
   * `fail`: the agent fails with `guardrail_tripped`. `answer`: the agent answers with the text in
   * `answer`. `replace`: the agent answers with the `replacement` of the verdict. `repair`: the
   * model receives the reason and is called again. Default: `"fail"`.
   */
  readonly onTrip?: "fail" | "answer" | "replace" | "repair"
  /** The text of the agent if the guardrail trips, with `onTrip: "answer"`. */
  readonly answer?: string
  /**
   * Maximum number of repairs in a turn, with `onTrip: "repair"`. After that, the agent fails.
   * Default: `1`.
   */
  readonly maxRepairs?: number
}

/** The checks of the input and of the final texts of an LlmAgent. */
export interface GuardrailsConfig {
  /** The guardrails that check the input of the agent, in this order. */
  readonly input?: readonly (string | InputGuardrailConfig)[]
  /** The guardrails that check the final texts of the agent, in this order. */
  readonly output?: readonly (string | OutputGuardrailConfig)[]
  /**
   * `hold`: the text of a response is not streamed, because it is checked first. `send`: the text
   * is streamed before the guardrails have checked it. Default: `hold` with output guardrails,
   * otherwise `send`.
   */
  readonly stream?: "hold" | "send"
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
   * The lists that collect results of the branches. `{"summaries": "summary"}` stores a list under
   * the state key `summaries`, with the value that each branch wrote to `summary`. Default: `{}`.
   */
  readonly collect?: Readonly<Record<string, string>>
  /**
   * Maximum length of the list `items`. If the list is longer, the block fails. Default: `1000`.
   */
  readonly maxItems?: number
}

/** A reference with which a container runs an agent. */
export interface SubAgentReference {
  readonly agentId: string
  /** Condition for running the agent. If it is false, the agent is skipped. */
  readonly when?: string
}
