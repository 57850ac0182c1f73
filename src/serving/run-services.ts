import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import type { CallServices } from "../runtime/host/call-services.js"

/** The model, tool and host services of a run. They are closed when the run has ended. */
export interface RunServices {
  readonly calls: CallServices
  /** Set if other runs use the same services. Then `close` is not called when a run ends. */
  readonly isShared?: true
  /** Receives the past events before a run is resumed, so that a script continues at its position. */
  readonly resume?: (past: readonly RunEvent[]) => void
  close(): Promise<void>
}

/** Opens the services of a run. `scenario` is the path of a file with scripted responses, or null. */
export type OpenRunServices = (chart: AgentChart, scenario: string | null) => Promise<RunServices>
