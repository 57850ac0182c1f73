import type { JournalOption } from "../options/run-options.js"
import type { ServiceOptions } from "../options/service-options.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Options of the command `eval`. */
export interface EvalOptions extends ServiceOptions, WorkflowOptions, JournalOption {
  readonly case: readonly string[]
  readonly config?: string
  readonly repeat: number
  readonly concurrency: number
  readonly judge?: string | false
  readonly strict?: boolean
  readonly details?: boolean
  /** File to which the JSON report is written. true: stdout. */
  readonly json?: string | true
  readonly junit?: string
  readonly markdown?: string
  /**
   * File that stores the results of finished cases, so that an interrupted evaluation can continue.
   */
  readonly resume?: string
  /** The second workflow of a comparison. */
  readonly with?: string
  /** Whether the second positional argument is the workflow to compare with. */
  readonly compare?: boolean
  /** File with the scenario of the second workflow in a comparison. */
  readonly scriptedWith?: string
  /** Report file of an earlier evaluation to compare with. */
  readonly baseline?: string
  readonly services?: string
  readonly allowProcesses?: boolean
}
