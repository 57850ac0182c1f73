import type { JournalOption } from "../options/run-options.js"
import type { ServiceOptions } from "../options/service-options.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Command-line options of the command `eval`, which runs and scores test cases. */
export interface EvalOptions extends ServiceOptions, WorkflowOptions, JournalOption {
  readonly case: readonly string[]
  readonly config?: string
  readonly repeat: number
  readonly concurrency: number
  readonly judge?: string | false
  readonly strict?: boolean
  readonly details?: boolean
  /** File for the JSON report. True prints the report to stdout. */
  readonly json?: string | true
  readonly junit?: string
  readonly markdown?: string
  /**
   * File that stores the results of finished cases, so that an interrupted evaluation can continue.
   */
  readonly resume?: string
  /** File of the second workflow in a comparison of two workflows. */
  readonly with?: string
  /** Whether the second positional argument is the second workflow of a comparison. */
  readonly compare?: boolean
  /** Scenario file with scripted responses for the second workflow of a comparison. */
  readonly scriptedWith?: string
  /** File with the report of an earlier evaluation, with which the results are compared. */
  readonly baseline?: string
  readonly services?: string
  readonly allowProcesses?: boolean
}
