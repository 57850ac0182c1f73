import type { ModelService } from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/index.js"

/** The services of one run of a case. */
export interface EvaluationServices extends CallServices {
  /**
   * Serves the calls of all judges. Default: the service of the model that the criterion names as
   * its judge.
   */
  readonly judge?: ModelService
  /** Whether the responses come from a recording. Such calls are not counted. */
  readonly isRecording?: boolean
  /** Closes the services after the run. */
  close?(): Promise<void>
}

/** The services of all runs, or a function that opens the services of one repetition of a case. */
export type ServicesOfCases =
  | EvaluationServices
  | ((
      evalId: string,
      repetition: number,
      evalSetId: string,
    ) => EvaluationServices | Promise<EvaluationServices>)
