import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

/** The status of a run that an engine executes. */
export interface EngineStatus {
  readonly status: RunStatus
  /** Pending requests, oldest first. DBOS reports at most 100. */
  readonly pending: readonly PendingRequest[]
  /** The last text of the root agent. */
  readonly text: string | null
}

export interface EngineStart extends RunInput {
  /** Id of the workflow in the engine. Default: a random id. */
  readonly runId?: string
  /** Whether the run waits for the next user message after each invocation (ADK). */
  readonly conversation?: boolean
}

/**
 * Starts and controls runs that an engine executes, from any process that can reach the engine.
 * Errors of the engine itself are passed on unchanged.
 */
export interface EngineRuns {
  /**
   * Starts a run. Resolves with its id as soon as the engine has stored it.
   *
   * @throws AgentStatechartsError `chart_invalid`, `input_refused`, `run_exists`.
   */
  start(chart: AgentChart, start?: EngineStart): Promise<string>
  /**
   * Sends a message to a run. Resolves when the run has handled it and rejects if the run refused
   * it. Of contradictory answers, only the first is accepted.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_finished`, and what the control of the message's type throws.
   */
  give(runId: string, message: RunMessage): Promise<void>
  /** @throws AgentStatechartsError `run_unknown`. */
  status(runId: string): Promise<EngineStatus>
  /**
   * Resolves with the result when the run has ended, in whichever process it runs.
   *
   * @throws AgentStatechartsError `run_unknown`.
   */
  result(runId: string): Promise<RunResult>
}
