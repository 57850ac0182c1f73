/** Conditions: a safe subset of Python expressions over `session_state`. */
export {
  compileCondition,
  type CompiledCondition,
  type ConditionResult,
} from "./compile-condition.js"
export type { SharedSteps } from "./budget.js"
export type { AlwaysTrue } from "./always-true.js"
export { ConditionFailed, type PythonErrorType } from "./condition-failed.js"
export { ConditionRefused, type RefusalReason } from "./condition-refused.js"
export { limits as conditionLimits } from "./limits.js"
