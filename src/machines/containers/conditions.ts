import { systemKey } from "../data/system-keys.js"
import { AgentStatechartsError } from "../../errors.js"
import { ConditionFailed } from "../../expression/limits/condition-failed.js"
import type { StateMeta } from "../contract/chart-machine.js"
import type { OrchestrationContext } from "./orchestration-context.js"
import { changeScope, currentIteration, getScope, locationOf } from "./orchestration-context.js"
import { readKey, toObject, writeKey } from "../data/session-state.js"
import type { DecisionSteps, Step } from "../contract/machine-kind.js"

/**
 * Returns the step budget of one decision: 1,000,000 steps (about 100 ms), ten times the limit of
 * one condition. Each condition adds steps, so that a block with thousands of branches can evaluate
 * a condition for each branch. All steps together are limited to 20,000,000 (about 2 s).
 */
export const decisionSteps = (): DecisionSteps => ({ left: 1_000_000, reserve: 19_000_000 })

/** Number of steps that each condition of a decision adds to the budget. */
const stepsOfCondition = 10_000

/**
 * Adds the steps of one condition to the budget. Copying the state also takes time, so it uses
 * steps.
 */
export function addCondition({ conditionSteps }: Step, state: object): void {
  const added = Math.min(stepsOfCondition, conditionSteps.reserve)
  conditionSteps.reserve -= added
  conditionSteps.left += added - Object.keys(state).length / 8
}

/**
 * Evaluates a condition with the state of its branch and stores the result for the guards. The
 * condition can read all system keys (docs/semantics.md#conditions). The key
 * `current_agent_loop_iteration` is the index of the innermost enclosing loop.
 */
export function checkCondition(
  context: OrchestrationContext,
  meta: StateMeta,
  source: string,
  role: string,
  step: Step,
): void {
  const { scope } = meta
  const iteration = currentIteration(context, meta)
  const { state } = getScope(context, scope)
  if (iteration !== null && readKey(state, systemKey.loopIteration) !== iteration) {
    changeScope(context, scope, {
      state: writeKey(state, systemKey.loopIteration, iteration),
    })
  }
  storeResult(context, meta, evaluate(context, meta, source, role, step))
}

function evaluate(
  context: OrchestrationContext,
  meta: StateMeta,
  source: string,
  role: string,
  step: Step,
): CheckResult {
  try {
    const state = toObject(getScope(context, meta.scope).state)
    addCondition(step, state)
    const { truthy } = step.condition(source).evaluate(state, step.conditionSteps)
    return truthy ? "holds" : "does not hold"
  } catch (cause) {
    if (!(cause instanceof AgentStatechartsError)) throw cause
    const message = `${role} ${JSON.stringify(source)} could not be evaluated: ${cause.message}${hintOf(cause)}`
    const isLimit = "limit" in cause && cause.limit === true
    if (
      step.chart.settings.onConditionError === "continue" &&
      !isLimit &&
      cause.code === "condition_failed"
    ) {
      step.emit({
        type: "condition.failed",
        condition: source,
        message,
        ...locationOf(context, meta),
      })
      return "does not hold"
    }
    // The error is stored in the branch until the branch ends, because conditions of several
    // branches can fail in the same step.
    changeScope(context, meta.scope, { error: { code: cause.code, agent: meta.agent, message } })
    return "failed"
  }
}

/**
 * Returns the suggested fix for a failed condition as a sentence, or the empty string if there is
 * none.
 */
function hintOf(cause: AgentStatechartsError): string {
  return cause instanceof ConditionFailed && cause.hint !== null ? `. ${cause.hint}` : ""
}

type CheckResult = OrchestrationContext["checks"][string]

function storeResult(context: OrchestrationContext, meta: StateMeta, outcome: CheckResult): void {
  if (context.checks[meta.place] !== outcome)
    context.checks = { ...context.checks, [meta.place]: outcome }
}
