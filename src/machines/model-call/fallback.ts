import type { FailureClass } from "../contract/activity.js"
import type { CallFailure } from "../contract/services.js"
import type { WithModels } from "./agent-models.js"
import { modelNameAt } from "./agent-models.js"
import { failureClassOf } from "./failure-class.js"

/**
 * Returns the index of the fallback model that is called after the model `current` has failed. It
 * is the next fallback whose `on` contains the class of the failure. Returns null if there is none.
 * Earlier fallbacks are not called again (docs/semantics.md#fallback-models).
 */
export function nextModel(
  definition: WithModels | undefined,
  current: number,
  failure: CallFailure,
): number | null {
  if (definition?.fallback === undefined) return null
  const failureClass = failureClassOf(failure)
  return failureClass === null ? null : nextModelFor(definition, current, failureClass)
}

/**
 * Returns the index of the fallback model that is called after the model `current` has failed with
 * this class of failure. Returns null if there is none.
 */
export function nextModelFor(
  definition: WithModels,
  current: number,
  failureClass: FailureClass,
): number | null {
  const { fallback = [] } = definition
  const failed = modelNameAt(definition, current)
  // If the model of a route failed, the search starts at the first fallback.
  const first = current > fallback.length ? 0 : current
  const next = fallback.findIndex(
    ({ model, on }, index) => index >= first && model !== failed && on.includes(failureClass),
  )
  return next === -1 ? null : next + 1
}
