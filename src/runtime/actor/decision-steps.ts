import type { DecisionSteps } from "../../machines/contract/machine-kind.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, DecisionSteps>()

/**
 * Returns the remaining budget of evaluation steps for conditions. All actors of one system share
 * the budget. The budget is reset in a microtask, because XState does not report when all actors
 * have handled an event.
 */
export function decisionStepsOf(system: object): DecisionSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
