import type { Divergence, ReuseReport } from "../../runtime/index.js"
import type { EvaluationProblem } from "../reading/problem.js"
import type { CaseResult, ConfidenceInterval, EvalCallCounts } from "../report/report.js"

/** A pair of values for the two workflows, A and B, of a comparison. */
export interface OfBoth<Value> {
  readonly a: Value
  readonly b: Value
}

/** Result of `compareEvaluations`. `eval --with --json` prints it as JSON. */
export interface ComparisonReport {
  readonly version: 1
  /** Ids of the two compared workflows, A and B. */
  readonly agents: OfBoth<string>
  readonly fingerprints: OfBoth<string>
  readonly repeat: number
  /** Duration of the comparison in seconds. */
  readonly duration: number
  readonly sets: readonly ComparedSet[]
  readonly summary: ComparisonSummary
  /** Numbers of calls that all runs of the two workflows made. */
  readonly calls: EvalCallCounts
  readonly warnings: readonly EvaluationProblem[]
  readonly errors: readonly EvaluationProblem[]
  readonly exitCode: 0 | 1 | 2
}

export interface ComparedSet {
  readonly file: string
  readonly evalSetId: string
  readonly cases: Readonly<Record<string, ComparedCase>>
  /**
   * Ids of the cases that only one of the reports contains. `added` contains the ids in the new
   * report, and `removed` those in the baseline report. Absent without a baseline report.
   */
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** Results of one case with workflow A and workflow B, and their differences. */
export interface ComparedCase {
  readonly a: CaseResult
  readonly b: CaseResult
  readonly changed: CaseChanges
  readonly criteria: Readonly<Record<string, ScoreChange>>
  /**
   * First call of workflow B (the second workflow) that could not reuse a response of workflow A
   * (the first workflow). Null if all calls reused responses. Absent in a comparison with a
   * baseline report.
   */
  readonly firstDivergence?: Divergence | null
  /**
   * Numbers of calls of workflow B that reused a response of workflow A, and numbers of new calls.
   * Absent in a comparison with a baseline report.
   */
  readonly calls?: ReuseReport["calls"]
  /**
   * Names of the tools that workflow B (the second workflow) called. Calls that reused a response
   * of workflow A are not included. Absent in a comparison with a baseline report.
   */
  readonly calledTools?: readonly string[]
}

/**
 * Differences between the results of a case with workflow A and workflow B. In a comparison with a
 * baseline report, only `status` is set.
 */
export interface CaseChanges {
  readonly status: boolean
  readonly text?: boolean
  readonly trajectory?: boolean
  /** Keys of the session state with different final values, sorted. */
  readonly state?: readonly string[]
  readonly agents?: { readonly added: readonly string[]; readonly removed: readonly string[] }
  readonly tokens?: OfBoth<number>
  /** Cost of the calls with both workflows. Null for a workflow whose calls have no prices. */
  readonly cost?: OfBoth<number | null>
}

/**
 * Change of a score from workflow A to workflow B. `delta` is the score of B minus the score of A.
 */
export interface ScoreChange {
  readonly delta: number | null
  /**
   * 95 % confidence interval of the mean difference between paired repetitions. Null if there are
   * fewer than two pairs.
   */
  readonly interval: ConfidenceInterval | null
}

export interface ComparisonSummary {
  readonly improved: number
  readonly regressed: number
  readonly unchanged: number
  readonly criteria: Readonly<Record<string, ScoreChange>>
  readonly calls: ReuseReport["calls"]
}
