import type { SharedSteps } from "../../expression/index.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, SharedSteps>()

/**
 * Returns the remaining evaluation steps for conditions. All actors of a run share them until the
 * next microtask, because actors have no other common end of an event.
 */
export function decisionStepsOf(system: object): SharedSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
