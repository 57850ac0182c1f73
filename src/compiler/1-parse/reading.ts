import type { AgentConfig } from "./agent-config.js"
import type { ConditionUse } from "./fields/condition.js"
import type { Naming } from "./naming.js"
import type { Place } from "./place.js"
import type { Report } from "./report.js"
import type { Suggest } from "./suggest.js"

/** What the readers of one config share. */
export interface Reading {
  readonly report: Report
  readonly suggest: Suggest
  readonly naming: Naming
  /** Reads an agent in the words of the config's dialect, wherever one stands. */
  readonly readAgent: (value: unknown, at: Place) => AgentConfig | null
  /** Every condition that was read, for the analysis. */
  readonly conditions: ConditionUse[]
}
