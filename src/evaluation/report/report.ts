import type { EvaluationProblem } from "../reading/problem.js"

export type EvalStatus = "PASSED" | "FAILED" | "NOT_EVALUATED"

/** Result of an evaluation. `eval --json` prints it as JSON. */
export interface EvaluationReport {
  readonly version: 1
  /** Id of the evaluated workflow. */
  readonly agent: string
  /** Hash of the workflow's chart. It changes whenever the chart changes. */
  readonly fingerprint: string
  readonly repeat: number
  /** Duration of the evaluation in seconds. */
  readonly duration: number
  readonly sets: readonly EvalSetResult[]
  readonly summary: EvalSummary
  readonly calls: EvalCallCounts
  readonly warnings: readonly EvaluationProblem[]
  readonly errors: readonly EvaluationProblem[]
  readonly exitCode: 0 | 1 | 2
}

export interface EvalSetResult {
  readonly file: string
  readonly evalSetId: string
  readonly cases: Readonly<Record<string, CaseResult>>
}

export interface EvalSummary {
  readonly cases: number
  readonly passed: number
  readonly failed: number
  readonly notEvaluated: number
}

/**
 * Numbers of calls in an evaluation, with their tokens and cost. Retries of a call are not counted.
 */
export interface EvalCallCounts {
  readonly models: number
  readonly tools: number
  readonly judge: number
  readonly tokens: number
  readonly judgeTokens: number
  /** Total cost of the calls that have a price. Null if no call has a price. */
  readonly cost: number | null
}

export interface CaseResult {
  readonly status: EvalStatus
  /**
   * Error code or status of the first run that did not end in an allowed status. Allowed are
   * `completed` and the statuses that a criterion allows. Absent if all runs ended in an allowed
   * status.
   */
  readonly error?: string
  /** Message of the error in the field `error`. */
  readonly errorMessage?: string
  /** Ids of the case's runs, one for each repetition. */
  readonly runs: readonly string[]
  /** Total duration of all repetitions in seconds. */
  readonly duration: number
  readonly criteria: Readonly<Record<string, CriterionResult>>
  readonly metrics: Readonly<Record<string, number | null>>
  /**
   * Number of repetitions that passed, and Wilson's 95 % confidence interval of their share. Absent
   * if cases are not repeated.
   */
  readonly passRate?: {
    readonly passed: number
    readonly of: number
    readonly interval: ConfidenceInterval
  }
}

export type ConfidenceInterval = readonly [low: number, high: number]

export interface CriterionResult {
  readonly score: number | null
  readonly threshold: number
  readonly status: EvalStatus
  /**
   * Scores of the turns of all repetitions. The scores of the first repetition come first. Absent
   * for criteria that score the whole run.
   */
  readonly perInvocation?: readonly (number | null)[]
  /** Score of each repetition. Null for a repetition without a score. */
  readonly perRun?: readonly (number | null)[]
  readonly interval?: ConfidenceInterval | null
  /** Descriptions of the differences between the actual and the expected results. */
  readonly details?: readonly string[]
}
