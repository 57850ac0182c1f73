import { addCondition, conditionFailure } from "../containers/conditions.js"
import type { Step } from "../contract/machine-kind.js"
import { toObject } from "../data/session-state.js"
import { systemKey } from "../data/system-keys.js"
import { indexOfRoute } from "../model-call/agent-models.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf } from "../model-call/llm-agent-context.js"

/**
 * Chooses the model of the next model call (docs/semantics.md#model-routes). It is the model of the
 * first route whose condition is true, or else the agent's own model. If a condition fails, no
 * model is called, and the call fails.
 */
export function chooseModel(context: LlmAgentContext, step: Step): void {
  const { definition, input } = context
  context.modelIndex = 0
  if (definition.routes === undefined) return
  context.routeFailure = null
  const state = toObject(context.state)
  if (input.iteration !== null) state[systemKey.loopIteration] = input.iteration
  for (const [route, { when }] of definition.routes.entries()) {
    addCondition(step, state)
    try {
      if (!step.condition(when).evaluate(state, step.conditionSteps).truthy) continue
      context.modelIndex = indexOfRoute(definition, route)
      return
    } catch (cause) {
      const role = `routes[${route}].when`
      const { code, message, countsAsFalse } = conditionFailure(cause, when, role, step)
      if (!countsAsFalse) {
        context.routeFailure = { code, message, retryable: false }
        return
      }
      step.emit({ type: "condition.failed", condition: when, message, ...locationOf(input) })
    }
  }
}
