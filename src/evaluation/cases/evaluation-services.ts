import type { ModelService } from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/index.js"

/**
 * Services that one run of a case calls. They are the services of the workflow and the judge model.
 */
export interface EvaluationServices extends CallServices {
  /**
   * Model service for the calls of all judges. Default: the service of the model that the criterion
   * names as its judge.
   */
  readonly judge?: ModelService
  /**
   * Whether the responses come from a recording instead of a model. The report does not count calls
   * with recorded responses.
   */
  readonly isRecording?: boolean
  /** Closes the services after the run. */
  close?(): Promise<void>
}

/**
 * Services of all runs, or a function that opens separate services for each run of a case.
 * `repetition` is the index of the run among the repetitions of its case, starting at 0.
 */
export type ServicesOfCases =
  | EvaluationServices
  | ((
      evalId: string,
      repetition: number,
      evalSetId: string,
    ) => EvaluationServices | Promise<EvaluationServices>)
