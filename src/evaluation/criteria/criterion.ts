import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { EvalCase } from "../eval-set/eval-set.js"
import type { MistakeList } from "../reading/problem.js"
import type { CaseRun } from "../run/case-run.js"

/** A scored check with a threshold. */
export interface Criterion {
  readonly name: string
  readonly threshold: number
  /** File and JSON pointer of the criterion. */
  readonly file: string
  readonly at: string
  readonly scorer: Scorer
}

/** Computes the score of one run of a case. */
export interface Scorer {
  /** Reports options that do not fit the workflow. A comparison has two charts. */
  check?(workflow: CheckedWorkflow, mistakes: MistakeList): void
  score(input: ScoringInput): CriterionScore | Promise<CriterionScore>
}

/** The charts that options may refer to. */
export interface CheckedWorkflow {
  readonly charts: readonly AgentChart[]
  readonly hasPrices: boolean
}

export interface ScoringInput {
  readonly chart: AgentChart
  readonly evalCase: EvalCase
  readonly run: CaseRun
}

/** The score of one run of a case. `perTurn` is absent for criteria over the whole run. */
export interface CriterionScore {
  readonly score: number | null
  readonly perTurn?: readonly (number | null)[]
  /** What differs from the expected result. */
  readonly details: readonly string[]
}
