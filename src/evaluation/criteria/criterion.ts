import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { EvalCase } from "../eval-set/eval-set.js"
import type { Judge } from "../judge/judge.js"
import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import type { ObjectPlace, TypedReader } from "../reading/place.js"
import type { EvaluationMistakeCode, MistakeList } from "../reading/problem.js"
import type { CaseRun } from "../run/case-run.js"

/** A scored check with a threshold. */
export interface Criterion {
  readonly name: string
  readonly threshold: number
  /** File and JSON pointer of the criterion. */
  readonly file: string
  readonly at: string
  /** Whether the score may be any number, instead of a number from 0 to 1. */
  readonly hasAnyScore: boolean
  readonly scorer: Scorer
}

/** Computes the score of one run of a case. */
export interface Scorer {
  /** The model that judges; absent for criteria without a judge. */
  readonly judgeModel?: string
  /** Run statuses that the criterion allows besides `completed`. */
  readonly allowedStatuses?: readonly string[]
  /** Reports options that do not fit the workflow or the cases. */
  check?(context: CriterionCheck): void
  /** Returns why the criterion cannot be evaluated here; null if it can. */
  unsupported?(context: { readonly metrics: CustomMetrics }): string | null
  score(input: ScoringInput): CriterionScore | Promise<CriterionScore>
}

/** The names and cases that options may refer to. */
export interface CriterionCheck {
  /** The charts of the workflows. A comparison has two. */
  readonly charts: readonly AgentChart[]
  /** Description of the calls without a price. null if all calls have a price. */
  readonly unpriced: string | null
  /** The cases to which the criterion applies. */
  readonly cases: readonly CaseInFile[]
  report(file: string, code: EvaluationMistakeCode, at: string, message: string, fix: string): void
}

export interface CaseInFile {
  readonly file: string
  readonly evalCase: EvalCase
}

export interface ScoringInput {
  readonly chart: AgentChart
  readonly evalCase: EvalCase
  readonly run: CaseRun
  readonly judge: Judge
  readonly metrics: CustomMetrics
}

/** The score of one run of a case. `perTurn` is absent for criteria over the whole run. */
export interface CriterionScore {
  readonly score: number | null
  readonly perTurn?: readonly (number | null)[]
  /** The differences from the expected result. */
  readonly details: readonly string[]
  /** Number of turns without a score, because a call of the judge failed. */
  readonly failedJudgeTurns?: number
  /** Why the function of a custom metric failed. */
  readonly metricFailure?: string
}

/** The functions of custom metrics by name. */
export type CustomMetrics = Readonly<Record<string, CustomMetric>>

/** Scores a run of a case. Called once per repetition. */
export type CustomMetric = (input: CustomMetricInput) => unknown

/** The arguments of a custom metric's function. */
export interface CustomMetricInput {
  readonly evalId: string
  readonly criterion: string
  readonly invocations: readonly CustomMetricTurn[]
}

export interface CustomMetricTurn {
  readonly user: string
  readonly reference: string
  readonly expectedCalls: readonly MetricCall[]
  readonly happened: boolean
  readonly text: string
  readonly calls: readonly MetricCall[]
  readonly state: Readonly<Record<string, unknown>>
}

export interface MetricCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The arguments of the function that reads a criterion. */
export interface CriterionPlace {
  readonly name: string
  readonly options: ObjectPlace
  readonly read: TypedReader
  readonly mistakes: MistakeList
}

/** A kind of criterion. */
export interface CriterionType {
  /** Schemas of the options by their names in snake_case, for messages and editors. */
  readonly options: Readonly<Record<string, SchemaObject>>
  /** An option that the criterion must have. */
  readonly requiredOption?: string
  /** Whether unknown options are ignored, as in ADK. */
  readonly ignoresOtherOptions?: boolean
  /** Whether the threshold may be any number. */
  readonly hasAnyThreshold?: boolean
  read(place: CriterionPlace): Scorer
}
