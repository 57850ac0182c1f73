import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

/**
 * The status of a run on a durable execution engine, with its pending requests and the latest text
 * of its root agent.
 */
export interface EngineStatus {
  readonly status: RunStatus
  /**
   * Requests that wait for the answer of a person, for example approvals. The oldest request is
   * first. On DBOS, at most 100 requests are returned.
   */
  readonly pending: readonly PendingRequest[]
  /** Latest text of the root agent. null if the root agent has not produced any text yet. */
  readonly text: string | null
}

export interface EngineStart extends RunInput {
  /** Id of the run. The workflow in the engine has the same id. Default: a random id. */
  readonly runId?: string
  /**
   * Whether the run waits for another user message after each response to a user message. Only for
   * workflow configs in the format of Google ADK (dialect `adk`). Default: false.
   */
  readonly conversation?: boolean
}

/**
 * A client that starts and controls runs on a durable execution engine, for example DBOS or
 * Temporal. It works in every process that can connect to the engine, not only in a worker. Errors
 * of the engine are thrown unchanged.
 */
export interface EngineRuns {
  /**
   * Starts a run. Resolves to the run id after the engine has stored the run.
   *
   * @throws AgentStatechartsError `chart_invalid`, `input_refused`, or `run_exists`
   */
  start(chart: AgentChart, start?: EngineStart): Promise<string>
  /**
   * Sends a message to a run. Resolves after the run has processed the message. The promise rejects
   * if the run rejects the message, for example an answer to a request that was already answered.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_finished`, or an error of the corresponding
   * method of `RunControls` (for example `approve` for an `approve` message)
   */
  give(runId: string, message: RunMessage): Promise<void>
  /**
   * Returns the current status of a run.
   *
   * @throws AgentStatechartsError `run_unknown`
   */
  status(runId: string): Promise<EngineStatus>
  /**
   * Waits until a run has ended and resolves to its result. The run may be executed by another
   * process.
   *
   * @throws AgentStatechartsError `run_unknown`
   */
  result(runId: string): Promise<RunResult>
}
