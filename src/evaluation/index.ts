/** Runs the cases of eval sets and scores them. The module reads no files. */
export type {
  EvalAnswer,
  EvalCall,
  EvalCase,
  EvalSet,
  EvalTurn,
  Rubric,
} from "./eval-set/eval-set.js"
export { readEvalSet } from "./eval-set/read-eval-set.js"
export type { EvaluationProblem } from "./reading/problem.js"
export type {
  CaseResult,
  CriterionResult,
  EvalCallCounts,
  EvalSetResult,
  EvalStatus,
  EvalSummary,
  EvaluationReport,
} from "./report/report.js"
