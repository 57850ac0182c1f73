/** Runs the cases of eval sets and scores them. This module does not access files. */
export { evaluate, EvaluationInvalidError } from "./evaluate.js"
export type { EvaluateOptions } from "./evaluate.js"
export type { EvaluationOptions, FinishedCases } from "./cases/evaluation-options.js"
export type { EvaluationServices, ServicesOfCases } from "./cases/evaluation-services.js"
export { compareEvaluations } from "./compare/compare-evaluations.js"
export type { CompareEvaluationsOptions } from "./compare/compare-evaluations.js"
export { compareWithBaseline } from "./compare/compare-baseline.js"
export type {
  CaseChanges,
  ComparedCase,
  ComparedSet,
  ComparisonReport,
  ComparisonSummary,
  OfBoth,
  ScoreChange,
} from "./compare/comparison-report.js"
export { evalSetFromRuns } from "./from-runs/eval-set-from-runs.js"
export type {
  EvalSetFile,
  EvalSetFromRunsOptions,
  EvalSetOfRuns,
} from "./from-runs/eval-set-from-runs.js"
export { readEvalConfig } from "./config/eval-config.js"
export type { EvalConfig } from "./config/eval-config.js"
export type {
  Criterion,
  CustomMetric,
  CustomMetricInput,
  CustomMetrics,
  CustomMetricTurn,
} from "./criteria/criterion.js"
export { formatReport } from "./format/format-report.js"
export type { ReportFormat } from "./format/format-report.js"
export { rouge1 } from "./rouge/rouge1.js"
export type { RougeScore } from "./rouge/rouge1.js"
export type { EvaluatedCase } from "./report/collect-cases.js"
export type { EvaluationCounts } from "./run/progress-counter.js"
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
