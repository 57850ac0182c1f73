import type { Client } from "@temporalio/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { RunOrder } from "../../../runtime/engine/execute-run.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { EngineRuns, EngineStatus } from "../engine-runs.js"
import { isErrorCode } from "../is-error-code.js"
import { newRunOrder } from "../new-run-order.js"
import { messageUpdate, statusQuery, workflowType } from "./names.js"

export interface TemporalRunsOptions {
  /** Task queue of the workers that execute the workflow and its activities. */
  readonly taskQueue: string
  /**
   * Name under which your workflow bundle exports the workflow that `agentWorkflow()` returns.
   * Default: `runAgents`.
   */
  readonly workflow?: string
}

/** Creates a client that starts and controls runs on Temporal. */
export function temporalRuns(
  { workflow: workflows }: Client,
  { taskQueue, workflow = workflowType }: TemporalRunsOptions,
): EngineRuns {
  /**
   * Executes a request to Temporal. If Temporal does not find the run, throws `run_finished` if the
   * run has ended and `run_unknown` if the run does not exist. Temporal itself reports the same
   * error in both cases.
   */
  const reach = async <Value>(runId: string, act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (cause) {
      if (!isNamed(cause, "WorkflowNotFoundError")) throw cause
      const status = await workflows
        .getHandle(runId)
        .describe()
        .then(
          ({ status }) => status.name,
          () => null,
        )
      if (status === null)
        throw new AgentStatechartsError(
          "run_unknown",
          `the run "${runId}" does not exist in Temporal; check the id, or start the run`,
          { cause },
        )
      throw new AgentStatechartsError(
        "run_finished",
        `run "${runId}" has finished (${status} in Temporal) and does not accept input`,
        { cause },
      )
    }
  }
  return {
    async start(chart, start = {}) {
      const order = newRunOrder(chart, start, systemClock.now())
      try {
        await workflows.start<(order: RunOrder) => Promise<RunResult>>(workflow, {
          workflowId: order.runId,
          taskQueue,
          args: [order],
          workflowIdReusePolicy: "REJECT_DUPLICATE",
        })
      } catch (cause) {
        if (!isNamed(cause, "WorkflowExecutionAlreadyStartedError")) throw cause
        throw new AgentStatechartsError(
          "run_exists",
          `the run "${order.runId}" already exists in Temporal; choose another id`,
          { cause },
        )
      }
      return order.runId
    },
    give: (runId, message) =>
      reach(runId, () =>
        workflows
          .getHandle(runId)
          .executeUpdate<void, [RunMessage]>(messageUpdate, { args: [message] })
          .catch((error: unknown) => {
            throw refusalIn(error) ?? error
          }),
      ),
    status: (runId) =>
      reach(runId, () => workflows.getHandle(runId).query<EngineStatus>(statusQuery)),
    result: (runId) =>
      reach(runId, () =>
        workflows.getHandle<(order: RunOrder) => Promise<RunResult>>(runId).result(),
      ),
  }
}

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name

/**
 * If a Temporal error contains the reason why a run rejected a message, returns this reason as an
 * `AgentStatechartsError`. Returns null for any other error.
 */
function refusalIn(error: unknown): AgentStatechartsError | null {
  if (!isNamed(error, "WorkflowUpdateFailedError")) return null
  const { cause } = error as {
    readonly cause?: { readonly type?: unknown; readonly message: string }
  }
  const type = cause?.type
  return isErrorCode(type)
    ? new AgentStatechartsError(type, cause?.message ?? "", { cause: error })
    : null
}
