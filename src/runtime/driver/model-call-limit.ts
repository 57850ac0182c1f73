import type { Envelope } from "../../machines/contract/services.js"

/** The error of a model call beyond `maxModelCalls`: the model is not called (docs/semantics.md#limits). */
export const modelCallLimit = (agent: string, max: number, at: number): Envelope => ({
  ok: false,
  error: {
    code: "limit_reached",
    message: `the run reached maxModelCalls (${max}) when agent "${agent}" was to be asked; raise the setting or find what asks so often`,
    retryable: false,
  },
  at,
})
