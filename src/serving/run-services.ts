import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import type { MemoryOption } from "../runtime/memory/with-memory.js"
import type { RunnerOptions } from "../runtime/runner/runner-options.js"
import type { CallServices } from "../runtime/host/call-services.js"

/** The stores of a server in addition to its journal, and the function that observes its runs. */
export interface RunStores
  extends Pick<RunnerOptions, "sessions" | "responseCache" | "onRun">, MemoryOption {}

/** The options of a runner that select its policies. */
export type RunnerPolicies = Pick<RunnerOptions, "policies" | "enforce">

/** Returns the policy options for the runs of a chart. */
export type PoliciesFor = (chart: AgentChart) => RunnerPolicies

/** Model, tool and host services for runs. */
export interface RunServices {
  readonly calls: CallServices
  /** The policies of the runs; absent if there are none. */
  readonly policies?: RunnerPolicies
  /**
   * Whether the runs use the server's long-term memory. If true, their sessions are added to it.
   * Default: false.
   */
  readonly usesMemory?: boolean
  /**
   * Set if several runs share these services. In this case, `close` is not called when a run ends.
   */
  readonly isShared?: true
  /**
   * Called before a run is resumed, with the events that the run has already emitted. Scripted
   * services use them to continue at the right response.
   */
  readonly resume?: (past: readonly RunEvent[]) => void
  close(): Promise<void>
}

/** The files next to a workflow that provide the services of its runs. */
export interface ServiceFiles {
  /** Path of a file with scripted responses; null if the run calls real services. */
  readonly scenario: string | null
  /** Path of a module with host functions, models and tools; null if the run does not use one. */
  readonly module: string | null
}

/**
 * Opens the services for the runs of a chart. `workflows` contains the workflows that the chart can
 * call by name.
 */
export type OpenRunServices = (
  chart: AgentChart,
  files: ServiceFiles,
  workflows?: Readonly<Record<string, AgentChart>>,
) => Promise<RunServices>
