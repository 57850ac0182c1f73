import type { DecisionSteps } from "../../machines/contract/machine-kind.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, DecisionSteps>()

/**
 * Returns the remaining budget of evaluation steps for conditions. All actors of one system share
 * the budget. It is reset in a microtask, because XState does not report the end of an event that
 * several actors handle.
 */
export function decisionStepsOf(system: object): DecisionSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
