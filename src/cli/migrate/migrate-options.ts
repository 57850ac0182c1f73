import type { JournalOption } from "../options/run-options.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Command-line options of `migrate`, which continues open runs with an edited workflow. */
export interface MigrateRunsOptions extends JournalOption, WorkflowOptions {
  /** File of the edited workflow. */
  readonly to: string
  readonly workflow?: string
  readonly run?: readonly string[]
  readonly dryRun?: boolean
  readonly fork?: boolean
  /** File for the JSON report. True prints the report to stdout. */
  readonly json?: string | true
}
