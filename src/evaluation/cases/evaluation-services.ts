import type { ModelService } from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/index.js"

/** The services of one run of a case. */
export interface EvaluationServices extends CallServices {
  /** Answers all calls of judges. Default: the model with the name of the judge. */
  readonly judge?: ModelService
  /** Whether the calls are answered from a recording, so that they are not counted. */
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
