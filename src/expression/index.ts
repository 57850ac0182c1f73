/**
 * Compiles and evaluates conditions. A condition is an expression in a safe subset of Python that
 * reads the dict `session_state`.
 */
export {
  compileCondition,
  type CompiledCondition,
  type ConditionResult,
} from "./compile-condition.js"
export type { SharedSteps } from "./limits/step-budget.js"
export type { AlwaysTrue } from "./check/always-true.js"
export { ConditionFailed, type PythonErrorType } from "./limits/condition-failed.js"
export { ConditionRefused, type RefusalReason } from "./limits/condition-refused.js"
export { limits as conditionLimits } from "./limits/limits.js"
