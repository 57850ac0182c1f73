import type { Divergence, ReuseReport } from "../../runtime/index.js"
import type { EvaluationProblem } from "../reading/problem.js"
import type { CaseResult, ConfidenceInterval, EvalCallCounts } from "../report/report.js"

/** The values of the two workflows of a comparison. */
export interface OfBoth<Value> {
  readonly a: Value
  readonly b: Value
}

/** The result of `compareEvaluations`, as `eval --with --json` prints it. */
export interface ComparisonReport {
  readonly version: 1
  /** Ids of the workflows. */
  readonly agents: OfBoth<string>
  readonly fingerprints: OfBoth<string>
  readonly repeat: number
  /** Duration in seconds. */
  readonly duration: number
  readonly sets: readonly ComparedSet[]
  readonly summary: ComparisonSummary
  /** Calls that were made for both workflows. */
  readonly calls: EvalCallCounts
  readonly warnings: readonly EvaluationProblem[]
  readonly errors: readonly EvaluationProblem[]
  readonly exitCode: 0 | 1 | 2
}

export interface ComparedSet {
  readonly file: string
  readonly evalSetId: string
  readonly cases: Readonly<Record<string, ComparedCase>>
  /** With a baseline: ids of the cases that only one side has. */
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** The comparison of two results of a case. */
export interface ComparedCase {
  readonly a: CaseResult
  readonly b: CaseResult
  readonly changed: CaseChanges
  readonly criteria: Readonly<Record<string, ScoreChange>>
  /** The first call of B that was not reused; null if all were. Absent with a baseline. */
  readonly firstDivergence?: Divergence | null
  /** Calls of B. Absent with a baseline. */
  readonly calls?: ReuseReport["calls"]
  /** Names of the tools that were called for B. Absent with a baseline. */
  readonly calledTools?: readonly string[]
}

/** The differences between two results. With a baseline, only the status is known. */
export interface CaseChanges {
  readonly status: boolean
  readonly text?: boolean
  readonly trajectory?: boolean
  /** Keys of the session state whose final values differ, sorted. */
  readonly state?: readonly string[]
  readonly agents?: { readonly added: readonly string[]; readonly removed: readonly string[] }
  readonly tokens?: OfBoth<number>
  /** null if the calls have no prices. */
  readonly cost?: OfBoth<number | null>
}

/** The difference of a score: B minus A. */
export interface ScoreChange {
  readonly delta: number | null
  /** 95 % confidence interval of the paired differences; null if there are fewer than two. */
  readonly interval: ConfidenceInterval | null
}

export interface ComparisonSummary {
  readonly improved: number
  readonly regressed: number
  readonly unchanged: number
  readonly criteria: Readonly<Record<string, ScoreChange>>
  readonly calls: ReuseReport["calls"]
}
