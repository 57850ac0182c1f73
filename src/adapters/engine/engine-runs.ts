import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

/** How a run stands, as an engine tells it to whoever asks. */
export interface EngineStatus {
  readonly status: RunStatus
  /** What it waits for, in the order in which it was asked; of many, DBOS shows the first hundred. */
  readonly pending: readonly PendingRequest[]
  /** What its root has said last. */
  readonly text: string | null
}

export interface EngineStart extends RunInput {
  /** The id of the workflow in the engine; random unless given. */
  readonly runId?: string
  /** Whether the run waits for the user's next message where a conversation rests (adk). */
  readonly conversation?: boolean
}

/** Runs that an engine carries, seen from any process that reaches it. What it cannot do fails as the engine says. */
export interface EngineRuns {
  /**
   * Starts a run and gives its id, once the engine has stored it.
   *
   * @throws AgentStatechartsError `chart_invalid`, `input_refused`, `run_exists`.
   */
  start(chart: AgentChart, start?: EngineStart): Promise<string>
  /**
   * Gives a run a message. Settles when the run has handled it, and rejects if the run has refused it: of contradictory answers, all but
   * the first.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_finished`, and what the control of the message's type throws.
   */
  give(runId: string, message: RunMessage): Promise<void>
  /** @throws AgentStatechartsError `run_unknown`. */
  status(runId: string): Promise<EngineStatus>
  /**
   * Settles when the run has finished, wherever it is carried.
   *
   * @throws AgentStatechartsError `run_unknown`.
   */
  result(runId: string): Promise<RunResult>
}
