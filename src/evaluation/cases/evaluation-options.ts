import type { Journal } from "../../runtime/index.js"
import type { TokenPrices } from "../../runtime/host/token-prices.js"
import type { CustomMetrics } from "../criteria/criterion.js"
import type { EvaluatedCase } from "../report/collect-cases.js"
import type { CaseResult } from "../report/report.js"
import type { EvaluationCounts } from "../run/progress-counter.js"
import type { ServicesOfCases } from "./evaluation-services.js"

/** Options for running and scoring cases. */
export interface EvaluationOptions {
  readonly services: ServicesOfCases
  /** Prices per million tokens, by model name. `*` applies to all other models. */
  readonly prices?: TokenPrices
  /** The functions that compute custom metrics, by function name. */
  readonly metrics?: CustomMetrics
  /** Number of times that each case is run. Default: 1. */
  readonly repeat?: number
  /** Maximum number of runs that are active at the same time. Default: 4. */
  readonly concurrency?: number
  /**
   * Name of the model that is used as the judge of all criteria, instead of the models that the
   * criteria name. false: criteria with a judge are not evaluated.
   */
  readonly judge?: string | false
  /** Whether a case fails if one of its criteria has no score. Default: false. */
  readonly strict?: boolean
  /** The journal that stores all runs. Default: each run is kept in memory until it is scored. */
  readonly journal?: Journal
  /**
   * A signal that stops the evaluation and its active runs. The report then contains only the
   * finished cases.
   */
  readonly signal?: AbortSignal
  readonly onProgress?: (counts: EvaluationCounts) => void
  /**
   * Stores the results of finished cases, so that an interrupted evaluation can be continued
   * without repeating them.
   */
  readonly finishedCases?: FinishedCases
}

/** A store for the results of finished cases. */
export interface FinishedCases<Result = CaseResult> {
  /** Returns the result of a case; null if the case has not finished. */
  load(evalSetFile: string, evalId: string): EvaluatedCase<Result> | null
  save(evalSetFile: string, evalId: string, result: EvaluatedCase<Result>): void | Promise<void>
}
