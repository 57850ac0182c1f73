import { bothDialects, inBothDialects, required } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/** Describes the config fields of an HTTP endpoint of an agent or a tool. */
export const httpConfig = {
  name: "httpConfig",
  fields: {
    url: {
      type: "url",
      defaultText: "required",
      description: "An absolute `http` or `https` address ([`bad_url`](errors.md#bad_url)).",
      dialects: inBothDialects({
        synonyms: ["uri", "endpoint"],
        ...required('Add the URL of the service: "url": "https://...".'),
      }),
    },
    method: {
      type: "httpMethod",
      defaultText: "required",
      description:
        "GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS, in upper or lower case ([`bad_method`](errors.md#bad_method)).",
      dialects: inBothDialects({ synonyms: ["verb"], ...required('Add "method": "POST".') }),
    },
    headers: {
      type: "headers",
      description:
        "Headers of the HTTP request, by name. Values that are not text (numbers, objects, lists) are sent as JSON.",
      dialects: bothDialects,
    },
    body: {
      type: "httpBody",
      description:
        'An object, or one template whose value is an object: `"{{ state.extra }}"`. The fields in the body of an LlmAgent are sent in addition to `messages`, `tools` and `state`.',
      dialects: bothDialects,
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config object `activityConfig`, which contains the timeouts and retries of a call.
 */
export const activityConfig = {
  name: "an activityConfig",
  fields: {
    startToCloseMs: {
      type: "duration",
      description: "Maximum duration of one attempt.",
      dialects: inBothDialects({ name: "startToCloseTimeout", synonyms: ["timeout"] }),
    },
    scheduleToCloseMs: {
      type: "duration",
      description: "Maximum duration of all attempts together.",
      dialects: inBothDialects({ name: "scheduleToCloseTimeout" }),
    },
    retryPolicy: {
      type: "retryPolicy",
      description: "The number of attempts, and the delays between them.",
      dialects: inBothDialects({ synonyms: ["retry", "retries"] }),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config object `activityConfig` of a model, which contains the timeouts and retries
 * of a model call.
 */
export const modelActivityConfig = {
  name: "an activityConfig",
  fields: {
    ...activityConfig.fields,
    idleMs: {
      type: "duration",
      description:
        "Only for the model calls of an LlmAgent without `httpConfig`: maximum time between two parts of a [streamed response](resilience.md#stalled-streams).",
      extension: true,
      dialects: inBothDialects({ name: "idleTimeout" }),
    },
  },
} as const satisfies ObjectDescription

/** Describes the config fields for the retries of a failed call. */
export const retryPolicy = {
  name: "a retryPolicy",
  fields: {
    maximumAttempts: {
      type: "count",
      default: 1,
      description: "Maximum attempts, including the first one.",
      dialects: inBothDialects({ synonyms: ["maxAttempts", "attempts", "retries"] }),
    },
    initialIntervalMs: {
      type: "duration",
      default: 1000,
      defaultText: '`"1s"`',
      description: "Delay before the second attempt.",
      dialects: inBothDialects({ name: "initialInterval" }),
    },
    backoffCoefficient: {
      type: "factor",
      default: 2,
      description: "Factor by which each further delay increases, 1 or greater.",
      dialects: bothDialects,
    },
    maximumIntervalMs: {
      type: "duration",
      description:
        "Maximum delay. It also limits the `Retry-After` of a service. Without it, `Retry-After` can delay an attempt by up to one hour.",
      dialects: inBothDialects({ name: "maximumInterval", synonyms: ["maxInterval"] }),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields of a fallback model, which is called if the models before it fail.
 */
export const modelFallback = {
  name: "a fallback model",
  fields: {
    model: {
      type: "model",
      defaultText: "required without `httpConfig`",
      description: "Name of a model that is registered with the runner.",
      dialects: inBothDialects({
        synonyms: ["name", "id"],
        ...required('Add "model" with the name of a registered model.', {
          unless: "httpConfig",
        }),
      }),
    },
    endpoint: {
      type: "httpConfig",
      description:
        "[URL and method](#httpconfig) of the service that is called, if the agent has an `httpConfig`.",
      dialects: inBothDialects({ name: "httpConfig", synonyms: ["http"] }),
    },
    on: {
      type: "failureClasses",
      defaultText: "all except `refused`",
      description:
        "The [classes of failures](resilience.md#classes-of-failures) after which this fallback model is called: `timeout`, `rate_limited`, `unavailable`, `malformed`, `context_too_long` and `refused`.",
      dialects: inBothDialects({ synonyms: ["errors", "when", "classes"] }),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields of a model route. If its condition is true, its model is called
 * instead of the agent's own model.
 */
export const modelRoute = {
  name: "a route",
  fields: {
    when: {
      type: "condition",
      defaultText: "required",
      description:
        "A [condition](conditions.md) that reads the session state. If it is true, this route is used.",
      dialects: inBothDialects({
        synonyms: ["condition", "if"],
        ...required(
          "Add \"when\" with a condition, such as \"session_state.get('tier') == 'pro'\".",
        ),
      }),
    },
    model: modelFallback.fields.model,
    endpoint: modelFallback.fields.endpoint,
  },
} as const satisfies ObjectDescription

/** Describes the config fields of a budget, which limits the model calls of a run or an agent. */
export const budget = {
  name: "a budget",
  fields: {
    maxTokens: {
      type: "count",
      description:
        "Maximum number of input and output tokens together. The model responses report these numbers in `usage`.",
      dialects: inBothDialects({ synonyms: ["tokens"] }),
    },
    maxInputTokens: {
      type: "count",
      description: "Maximum number of input tokens.",
      dialects: bothDialects,
    },
    maxOutputTokens: {
      type: "count",
      description: "Maximum number of output tokens.",
      dialects: bothDialects,
    },
    maxCost: {
      type: "amount",
      description:
        "Maximum cost of the calls, in the unit of the runner's [`priceOf`](observability.md#budgets). A runner without `priceOf` rejects the chart with `service_missing`.",
      dialects: inBothDialects({ synonyms: ["cost"] }),
    },
    maxModelCalls: {
      type: "count",
      description: "Maximum model calls. Retries are not counted.",
      dialects: inBothDialects({ synonyms: ["maxCalls", "calls"] }),
    },
    maxDurationMs: {
      type: "duration",
      description:
        'Maximum time since the first model call, such as `"10m"`, including the time that people take to answer. A call in progress is not stopped. To stop calls, use the `maxDuration` of the [workflow](#settings) or the agent.',
      dialects: inBothDialects({ name: "maxDuration" }),
    },
    onExceeded: {
      type: "onExceeded",
      defaultText: '`"limit"`',
      description:
        '`"limit"` ends the run with status `limit` and keeps its state. `"ask"` requests an approval. If the request is approved, the full budget is available again. If the request is rejected or expires, the run ends as with `"limit"`. `{ "message": "..." }` replaces the model response. If the budget of the run is exhausted, the message is the final text of the run. If the budget of an agent is exhausted, the message is the text of its turn.',
      dialects: inBothDialects({ synonyms: ["exceeded"] }),
    },
  },
} as const satisfies ObjectDescription
