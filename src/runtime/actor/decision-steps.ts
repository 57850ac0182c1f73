import type { DecisionSteps } from "../../machines/contract/machine-kind.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, DecisionSteps>()

/**
 * Returns the counter that limits how many steps the conditions of a chart may use for one event.
 * All actors of an XState actor system share the counter.
 *
 * XState does not report when all actors have handled an event. Therefore, a microtask resets the
 * counter.
 */
export function decisionStepsOf(system: object): DecisionSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
