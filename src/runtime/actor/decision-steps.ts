import type { DecisionSteps } from "../../machines/contract/machine-kind.js"
import { decisionSteps } from "../../machines/containers/conditions.js"

const open = new WeakMap<object, DecisionSteps>()

/**
 * Returns the counter that limits the number of steps for evaluating conditions while the actors of
 * one XState actor system handle an event. All actors of the system share the counter. It is reset
 * in a microtask, because XState does not report when all actors have handled an event.
 */
export function decisionStepsOf(system: object): DecisionSteps {
  const known = open.get(system)
  if (known !== undefined) return known
  const steps = decisionSteps()
  open.set(system, steps)
  queueMicrotask(() => open.delete(system))
  return steps
}
