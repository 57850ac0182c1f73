import type { Envelope } from "../../machines/contract/services.js"

/**
 * Returns the error `limit_reached`, which is the result of a model call beyond the setting
 * `maxModelCalls`. The model is not called (docs/semantics.md#limits). `at` is in milliseconds
 * since the epoch.
 */
export const modelCallLimit = (agent: string, max: number, at: number): Envelope => ({
  ok: false,
  error: {
    code: "limit_reached",
    message: `the run reached maxModelCalls (${max}) before a model call of agent "${agent}"; increase the setting or find the agent that repeats`,
    retryable: false,
  },
  at,
})
