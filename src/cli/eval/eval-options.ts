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
  /** A file, or true for stdout. */
  readonly json?: string | true
  readonly junit?: string
  readonly markdown?: string
  /** File with the results of finished cases. */
  readonly resume?: string
  /** The second workflow of a comparison. */
  readonly with?: string
  /** Whether the second argument is the second workflow. */
  readonly compare?: boolean
  /** Scenario of the second workflow. */
  readonly scriptedWith?: string
  /** Report of an earlier evaluation. */
  readonly baseline?: string
  readonly services?: string
  readonly allowProcesses?: boolean
}
