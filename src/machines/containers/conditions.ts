import { systemKey } from "../data/system-keys.js"
import { AgentStatechartsError } from "../../errors.js"
import { ConditionFailed } from "../../expression/limits/condition-failed.js"
import type { StateMeta } from "../contract/chart-machine.js"
import type { OrchestrationContext } from "./orchestration-context.js"
import { changeScope, currentIteration, getScope, locationOf } from "./orchestration-context.js"
import { readKey, toObject, writeKey } from "../data/session-state.js"
import type { DecisionSteps, Step } from "../contract/machine-kind.js"

/**
 * Creates a budget of evaluation steps, which all conditions that are evaluated for one event
 * share. It starts with 1,000,000 steps (about 100 ms), which is ten times the limit of one
 * condition. Each condition adds steps, so that a block with thousands of branches can evaluate all
 * of its conditions. In total, at most 20,000,000 steps are available (about 2 s).
 */
export const decisionSteps = (): DecisionSteps => ({ left: 1_000_000, reserve: 19_000_000 })

/** Number of evaluation steps that each condition adds to the shared budget. */
const stepsOfCondition = 10_000

/**
 * Changes the shared budget of evaluation steps before a condition is evaluated. First adds the
 * steps of one condition. Then subtracts steps for copying the state, because copying also takes
 * time.
 */
export function addCondition({ conditionSteps }: Step, state: object): void {
  const added = Math.min(stepsOfCondition, conditionSteps.reserve)
  conditionSteps.reserve -= added
  conditionSteps.left += added - Object.keys(state).length / 8
}

/**
 * Evaluates a condition and stores the result in the context, where guards read it. The condition
 * can read all system keys of the session state (docs/semantics.md#conditions). Before the
 * evaluation, sets `current_agent_loop_iteration` to the iteration index of the innermost loop.
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
    const { code, message, countsAsFalse } = conditionFailure(cause, source, role, step)
    if (countsAsFalse) {
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
    changeScope(context, meta.scope, { error: { code, agent: meta.agent, message } })
    return "failed"
  }
}

/** The error of a condition whose evaluation failed. */
export interface ConditionFailure {
  readonly code: AgentStatechartsError["code"]
  readonly message: string
  /** Whether the condition is treated as false because of `onConditionError: "continue"`. */
  readonly countsAsFalse: boolean
}

/**
 * Returns the error of a condition whose evaluation threw `cause`. `role` is the name of the
 * condition in the error message. Throws `cause` again if it is not an error of the condition.
 */
export function conditionFailure(
  cause: unknown,
  source: string,
  role: string,
  { chart }: Step,
): ConditionFailure {
  if (!(cause instanceof AgentStatechartsError)) throw cause
  const isLimit = "limit" in cause && cause.limit === true
  return {
    code: cause.code,
    message: `${role} ${JSON.stringify(source)} could not be evaluated: ${cause.message}${hintOf(cause)}`,
    countsAsFalse:
      chart.settings.onConditionError === "continue" &&
      !isLimit &&
      cause.code === "condition_failed",
  }
}

/**
 * Returns the suggested fix for a condition that could not be evaluated, as the end of the error
 * message. Returns an empty string if there is no suggested fix.
 */
function hintOf(cause: AgentStatechartsError): string {
  return cause instanceof ConditionFailed && cause.hint !== null ? `. ${cause.hint}` : ""
}

type CheckResult = OrchestrationContext["checks"][string]

function storeResult(context: OrchestrationContext, meta: StateMeta, outcome: CheckResult): void {
  if (context.checks[meta.place] !== outcome)
    context.checks = { ...context.checks, [meta.place]: outcome }
}
