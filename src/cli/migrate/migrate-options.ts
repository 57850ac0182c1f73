import type { JournalOption } from "../options/run-options.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Options of the command `migrate`. */
export interface MigrateRunsOptions extends JournalOption, WorkflowOptions {
  /** The edited workflow. */
  readonly to: string
  readonly workflow?: string
  readonly run?: readonly string[]
  readonly dryRun?: boolean
  readonly fork?: boolean
  /** The file for the JSON report. true: stdout. */
  readonly json?: string | true
}
