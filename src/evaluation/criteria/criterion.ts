import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { EvalCase } from "../eval-set/eval-set.js"
import type { Judge } from "../judge/judge.js"
import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import type { ObjectPlace, TypedReader } from "../reading/place.js"
import type { EvaluationMistakeCode, MistakeList } from "../reading/problem.js"
import type { CaseRun } from "../run/case-run.js"

/**
 * A named check that computes a score for a run. The check passes if the score is at least the
 * threshold.
 */
export interface Criterion {
  readonly name: string
  readonly threshold: number
  /**
   * Path of the file that defines the criterion. `pointer` is a JSON pointer to the criterion in this
   * file.
   */
  readonly file: string
  readonly pointer: string
  /** Whether the score may be any number. If false, the score must be between 0 and 1. */
  readonly hasAnyScore: boolean
  readonly scorer: Scorer
}

/** Computes the score of a criterion for one run of a case. */
export interface Scorer {
  /** Name of the model that judges responses; absent for criteria without a judge. */
  readonly judgeModel?: string
  /** Final run statuses that the criterion allows in addition to `completed`. */
  readonly allowedStatuses?: readonly string[]
  /**
   * Reports the criterion's options that do not fit the workflow or the cases, such as unknown
   * agent names.
   */
  check?(context: CriterionCheck): void
  /** Returns the reason why the criterion is not supported; null if it is supported. */
  unsupported?(context: { readonly metrics: CustomMetrics }): string | null
  score(input: ScoringInput): CriterionScore | Promise<CriterionScore>
}

/** The workflows and cases against which a criterion checks its options. */
export interface CriterionCheck {
  /** The charts of the evaluated workflows: one, or two in a comparison. */
  readonly charts: readonly AgentChart[]
  /**
   * The reason why some calls have no price, as text for a message; null if all calls have a price.
   */
  readonly unpriced: string | null
  /** The cases to which the criterion applies. */
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
 * The score of one run of a case; null if the criterion could not compute a score. `perTurn` is
 * absent for criteria that score the run as a whole.
 */
export interface CriterionScore {
  readonly score: number | null
  readonly perTurn?: readonly (number | null)[]
  /** Descriptions of the differences from the expected result. */
  readonly details: readonly string[]
  /** Number of turns that have no score because a call of the judge failed. */
  readonly failedJudgeTurns?: number
  /** The reason why the function of a custom metric failed; absent if it succeeded. */
  readonly metricFailure?: string
}

/** The functions that compute custom metrics, by function name. */
export type CustomMetrics = Readonly<Record<string, CustomMetric>>

/** A function that computes the score of a run. It is called once for each repetition of a case. */
export type CustomMetric = (input: CustomMetricInput) => unknown

/**
 * The argument of a custom metric's function: the ids of the case and the criterion, and the turns
 * of the conversation.
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
 * The argument of {@link CriterionType.read}: the criterion's options, a reader for their values,
 * and the list to which mistakes are added.
 */
export interface CriterionPlace {
  readonly name: string
  readonly options: ObjectPlace
  readonly read: TypedReader
  readonly mistakes: MistakeList
}

/** The definition of a criterion type: its options, and a function that reads them. */
export interface CriterionType {
  /**
   * JSON Schemas of the options, by option name in snake_case. They are used for messages and
   * editors.
   */
  readonly options: Readonly<Record<string, SchemaObject>>
  /** Name of the option that is required; absent if all options are optional. */
  readonly requiredOption?: string
  /** Whether options with unknown names are ignored, as in ADK. By default, they are mistakes. */
  readonly ignoresOtherOptions?: boolean
  /** Whether the threshold may be any number. If false, it must be from 0 to 1. */
  readonly hasAnyThreshold?: boolean
  read(place: CriterionPlace): Scorer
}
