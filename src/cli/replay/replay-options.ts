import type { JournalOption } from "../options/run-options.js"
import type { ServiceOptions } from "../options/service-options.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Command-line options of `replay --with`, which executes recorded runs with another workflow. */
export interface ReplayRunsOptions extends ServiceOptions, JournalOption, WorkflowOptions {
  /** File of the workflow with which the recorded runs are executed again. */
  readonly with: string
  readonly last?: number
  readonly run?: readonly string[]
  readonly status?: readonly string[]
  readonly offline?: boolean
  readonly concurrency: number
  readonly resume?: string
  /** File for the JSON report. True prints the report to stdout. */
  readonly json?: string | true
  readonly markdown?: string
  readonly services?: string
  readonly allowProcesses?: boolean
}
