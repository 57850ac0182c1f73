import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import type { MemoryOption } from "../runtime/memory/with-memory.js"
import type { RunnerOptions } from "../runtime/runner/runner-options.js"
import type { CallServices } from "../runtime/host/call-services.js"

/** Stores of a server in addition to its journal, and the function that observes its runs. */
export interface RunStores
  extends Pick<RunnerOptions, "sessions" | "responseCache" | "onRun">, MemoryOption {}

/** Runner options that select the policies of runs. */
export type RunnerPolicies = Pick<RunnerOptions, "policies" | "enforce">

/** Returns the policy options for the runs of a chart. */
export type PoliciesFor = (chart: AgentChart) => RunnerPolicies

/** Models, tools and other services that answer the calls of runs. */
export interface RunServices {
  readonly calls: CallServices
  /** Policies that the runs are checked against. Absent if there are none. */
  readonly policies?: RunnerPolicies
  /**
   * Whether the runs use the server's long-term memory. If true, their sessions are added to this
   * memory. Default: false.
   */
  readonly usesMemory?: boolean
  /** Set if several runs share these services. `close` is then not called when a run ends. */
  readonly isShared?: true
  /**
   * Called before a run is resumed, with the events that the run has already emitted. Scripted
   * services use the events to continue at the right response.
   */
  readonly resume?: (past: readonly RunEvent[]) => void
  close(): Promise<void>
}

/** Files next to a workflow file that provide the services of its runs. */
export interface ServiceFiles {
  /** Path of a file with scripted responses. Null if the runs call real services. */
  readonly scenario: string | null
  /**
   * Path of a module with host functions, models and tools. Null if the runs use no such module.
   */
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
