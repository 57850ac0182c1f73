import type { Divergence, ReuseReport } from "../../runtime/index.js"
import type { EvaluationProblem } from "../reading/problem.js"
import type { CaseResult, ConfidenceInterval, EvalCallCounts } from "../report/report.js"

/** A pair of values, one for each of the compared workflows A and B. */
export interface OfBoth<Value> {
  readonly a: Value
  readonly b: Value
}

/** The result of `compareEvaluations`, as `eval --with --json` prints it. */
export interface ComparisonReport {
  readonly version: 1
  /** Ids of the two workflows. */
  readonly agents: OfBoth<string>
  readonly fingerprints: OfBoth<string>
  readonly repeat: number
  /** Duration of the comparison in seconds. */
  readonly duration: number
  readonly sets: readonly ComparedSet[]
  readonly summary: ComparisonSummary
  /** Numbers of calls that the runs of the two workflows made in total. */
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
   * Ids of the cases that only one of the reports contains: `added` for the new report, `removed`
   * for the baseline report. Absent unless the comparison uses a baseline report.
   */
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** The results of one case with workflow A and with workflow B, and their differences. */
export interface ComparedCase {
  readonly a: CaseResult
  readonly b: CaseResult
  readonly changed: CaseChanges
  readonly criteria: Readonly<Record<string, ScoreChange>>
  /**
   * The first call of workflow B that could not reuse a response of workflow A. null: all calls
   * reused responses. Absent in a comparison with a baseline report.
   */
  readonly firstDivergence?: Divergence | null
  /**
   * Numbers of calls of workflow B that reused a response of workflow A, and of new calls. Absent
   * in a comparison with a baseline report.
   */
  readonly calls?: ReuseReport["calls"]
  /**
   * Names of the tools that workflow B actually called, without calls that reused a response.
   * Absent in a comparison with a baseline report.
   */
  readonly calledTools?: readonly string[]
}

/**
 * The differences between two results of a case. In a comparison with a baseline report, only
 * `status` is set.
 */
export interface CaseChanges {
  readonly status: boolean
  readonly text?: boolean
  readonly trajectory?: boolean
  /** Keys of the session state whose final values differ, sorted. */
  readonly state?: readonly string[]
  readonly agents?: { readonly added: readonly string[]; readonly removed: readonly string[] }
  readonly tokens?: OfBoth<number>
  /** Cost of the calls with both workflows; null for a workflow whose calls have no prices. */
  readonly cost?: OfBoth<number | null>
}

/** The change of a score from workflow A to workflow B: B minus A. */
export interface ScoreChange {
  readonly delta: number | null
  /**
   * 95 % confidence interval of the mean difference between paired repetitions; null if there are
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
