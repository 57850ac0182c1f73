import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { EvalCase } from "../eval-set/eval-set.js"
import type { Judge } from "../judge/judge.js"
import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import type { LocatedObject, TypedReader } from "../reading/located-value.js"
import type { EvaluationMistakeCode, MistakeList } from "../reading/problem.js"
import type { CaseRun } from "../run/case-run.js"

/**
 * A named check that scores a run of a case. The check passes if the score is at least `threshold`.
 */
export interface Criterion {
  readonly name: string
  readonly threshold: number
  /**
   * Path of the file that defines the criterion. `pointer` is the JSON pointer to the criterion in
   * this file.
   */
  readonly file: string
  readonly pointer: string
  /** Whether the score can be any number. If false, the score must be between 0 and 1. */
  readonly hasAnyScore: boolean
  readonly scorer: Scorer
}

/** Computes the score of a criterion for one run of a case. */
export interface Scorer {
  /** Name of the model that judges responses. Absent for criteria without a judge. */
  readonly judgeModel?: string
  /** Final run statuses that the criterion allows in addition to `completed`. */
  readonly allowedStatuses?: readonly string[]
  /**
   * Reports options of the criterion that do not fit the workflow or the cases, such as unknown
   * agent names.
   */
  check?(context: CriterionCheck): void
  /** Returns the reason why the criterion is not supported, or null if it is supported. */
  unsupported?(context: { readonly metrics: CustomMetrics }): string | null
  score(input: ScoringInput): CriterionScore | Promise<CriterionScore>
}

/** The workflows and cases against which a criterion validates its options. */
export interface CriterionCheck {
  /** Charts of the evaluated workflows. A comparison has two charts. */
  readonly charts: readonly AgentChart[]
  /** Reason why some calls have no price, as text for a message. Null if all calls have a price. */
  readonly unpriced: string | null
  /** Cases that the criterion scores. */
  readonly cases: readonly CaseInFile[]
  report(
    file: string,
    code: EvaluationMistakeCode,
    pointer: string,
    message: string,
    fix: string,
  ): void
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

/**
 * Score of one run of a case. `score` is null if the criterion could not compute a score. `perTurn`
 * is absent for criteria that score the run as a whole.
 */
export interface CriterionScore {
  readonly score: number | null
  readonly perTurn?: readonly (number | null)[]
  /** Descriptions of the differences from the expected result, one text for each difference. */
  readonly details: readonly string[]
  /** Number of turns without a score because a call of the judge failed. */
  readonly failedJudgeTurns?: number
  /** Reason why the function of a custom metric failed. Absent if it succeeded. */
  readonly metricFailure?: string
}

/** Functions that compute custom metrics, by function name. */
export type CustomMetrics = Readonly<Record<string, CustomMetric>>

/** Computes the custom score of a run. Called once for each repetition of a case. */
export type CustomMetric = (input: CustomMetricInput) => unknown

/**
 * Argument of a custom metric's function. It contains the ids of the case and the criterion, and
 * the turns of the conversation.
 */
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

/**
 * Argument of {@link CriterionType.read}. It contains the options of the criterion, a reader for
 * their values, and the list to which mistakes are added.
 */
export interface CriterionInput {
  readonly name: string
  readonly options: LocatedObject
  readonly read: TypedReader
  readonly mistakes: MistakeList
}

/** Definition of a criterion type. It defines the options and a function that reads them. */
export interface CriterionType {
  /** JSON Schemas of the options, by option name in snake_case. Messages and editors use them. */
  readonly options: Readonly<Record<string, SchemaObject>>
  /** Name of the required option. Absent if all options are optional. */
  readonly requiredOption?: string
  /** Whether options with unknown names are ignored, as in ADK. By default, they are mistakes. */
  readonly ignoresOtherOptions?: boolean
  /** Whether the threshold can be any number. If false, it must be from 0 to 1. */
  readonly hasAnyThreshold?: boolean
  read(input: CriterionInput): Scorer
}
