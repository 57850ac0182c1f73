import type { SharedSteps } from "../../expression/index.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, SharedSteps>()

/**
 * What the conditions of a decision may still cost: of all that the actors of a run do before they wait again. Actors have
 * no other common end of an event than that the code which runs now has ended.
 */
export function decisionStepsOf(system: object): SharedSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
