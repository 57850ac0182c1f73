import type { DecisionSteps } from "../../machines/contract/machine-kind.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, DecisionSteps>()

/**
 * Returns the counter that limits the steps for evaluating conditions during the current event. All
 * actors of one XState actor system share this budget. The budget is reset in a microtask, because
 * XState does not report when all actors have handled an event.
 */
export function decisionStepsOf(system: object): DecisionSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
