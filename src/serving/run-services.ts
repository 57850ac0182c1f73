import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import type { CallServices } from "../runtime/host/call-services.js"

/** What answers the calls of a run; closed when the run is over or left. */
export interface RunServices {
  readonly calls: CallServices
  /** Other runs are answered by them as well: whoever opened them closes them. */
  readonly isShared?: true
  /** Told what had happened before the run is taken up, so that a script goes on where it was. */
  readonly resume?: (past: readonly RunEvent[]) => void
  close(): Promise<void>
}

/** Opens services for a run. `scenario` is a file with scripted answers, where the user wants those. */
export type OpenRunServices = (chart: AgentChart, scenario: string | null) => Promise<RunServices>
