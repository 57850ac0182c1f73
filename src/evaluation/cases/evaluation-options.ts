import type { Journal } from "../../runtime/index.js"
import type { TokenPrices } from "../../runtime/host/token-prices.js"
import type { CustomMetrics } from "../criteria/criterion.js"
import type { EvaluatedCase } from "../report/collect-cases.js"
import type { CaseResult } from "../report/report.js"
import type { EvaluationCounts } from "../run/progress-counter.js"
import type { ServicesOfCases } from "./evaluation-services.js"

/** Options for running and scoring the cases of an evaluation. */
export interface EvaluationOptions {
  readonly services: ServicesOfCases
  /** Prices per million tokens, by model name. `*` applies to all other models. */
  readonly prices?: TokenPrices
  /** Functions that compute the scores of custom metrics, by function name. */
  readonly metrics?: CustomMetrics
  /** Number of runs of each case. Default: 1. */
  readonly repeat?: number
  /** Maximum number of runs that are active at the same time. Default: 4. */
  readonly concurrency?: number
  /**
   * Name of the model that judges responses for all criteria, instead of the models that the
   * criteria name. False skips all criteria that need a judge.
   */
  readonly judge?: string | false
  /** Whether a case fails if one of its criteria has no score. Default: false. */
  readonly strict?: boolean
  /** Journal that stores all runs. By default, each run is kept in memory until it is scored. */
  readonly journal?: Journal
  /**
   * Signal that stops the evaluation and its active runs. The report then contains only the
   * finished cases.
   */
  readonly signal?: AbortSignal
  readonly onProgress?: (counts: EvaluationCounts) => void
  /**
   * Stores the results of finished cases. An interrupted evaluation can then continue without
   * repeating these cases.
   */
  readonly finishedCases?: FinishedCases
}

/** Store for the results of finished cases, which allows an evaluation to continue later. */
export interface FinishedCases<Result = CaseResult> {
  /** Returns the stored result of a case. Returns null if the case has not finished. */
  load(evalSetFile: string, evalId: string): EvaluatedCase<Result> | null
  save(evalSetFile: string, evalId: string, result: EvaluatedCase<Result>): void | Promise<void>
}
