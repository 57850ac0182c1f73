import type { JournalOption } from "../options/run-options.js"
import type { ServiceOptions } from "../options/service-options.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Options of `replay --with`. */
export interface ReplayRunsOptions extends ServiceOptions, JournalOption, WorkflowOptions {
  /** The workflow to execute the runs with. */
  readonly with: string
  readonly last?: number
  readonly run?: readonly string[]
  readonly status?: readonly string[]
  readonly offline?: boolean
  readonly concurrency: number
  readonly resume?: string
  /** The file for the JSON report. true: stdout. */
  readonly json?: string | true
  readonly markdown?: string
  readonly services?: string
  readonly allowProcesses?: boolean
}
