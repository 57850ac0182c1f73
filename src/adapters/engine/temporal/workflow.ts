/**
 * The Temporal workflow that executes a run of agents. A workflow bundle must import this module.
 * Experimental.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from "@temporalio/workflow"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { RunOrder } from "../../../runtime/engine/execute-run.js"
import { executeRun } from "../../../runtime/engine/execute-run.js"
import type { Run } from "../../../runtime/run/run.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { EngineStatus } from "../engine-runs.js"
import type { ActivitySettings } from "./activity-options.js"
import type { TemporalActivities } from "./names.js"
import { runFinishedError } from "../message-outcome.js"
import { messageSignal, messageUpdate, statusQuery } from "./names.js"
import { workflowEngine } from "./workflow-engine.js"

export type { ActivitySettings } from "./activity-options.js"
export type { EngineStatus } from "../engine-runs.js"

export interface AgentWorkflowOptions extends ActivitySettings {
  /**
   * Called with the run before it starts, for example to subscribe to `events$`. When Temporal
   * replays the workflow, this function is called again, and `events$` emits past events again. The
   * function runs inside the Temporal workflow, so it must be deterministic.
   */
  readonly opened?: (run: Run) => void
  /**
   * Called when the run has rejected a message. The function runs inside the Temporal workflow, so
   * it must be deterministic.
   */
  readonly refused?: (message: RunMessage, error: Error) => void
}

/**
 * Creates a Temporal workflow that executes runs. The name of the workflow is the name under which
 * you export it.
 *
 * @example
 * export const runAgents = agentWorkflow()
 */
export function agentWorkflow({
  opened = () => {},
  refused = () => {},
  ...settings
}: AgentWorkflowOptions = {}): (order: RunOrder) => Promise<RunResult> {
  return async (order) => {
    const engine = workflowEngine(settings)
    let current: Run | null = null
    let hasEnded = false
    const give = async (message: RunMessage): Promise<void> => {
      try {
        if (hasEnded) throw runFinishedError(order.runId)
        await engine.message(message)
      } catch (error) {
        throw failureOf(error)
      }
    }
    // Temporal does not report a rejection to the sender of a signal, so `refused` is called.
    setHandler(defineSignal<[RunMessage]>(messageSignal), (message) => {
      engine.message(message).catch(() => {})
    })
    setHandler(defineUpdate<void, [RunMessage]>(messageUpdate), give)
    setHandler(defineQuery<EngineStatus>(statusQuery), () => statusOf(current))
    // A cancellation in Temporal has the effect of a `cancel` message. The run ends, and the
    // finished work is returned.
    CancellationScope.current().cancelRequested.catch(() => {
      engine.message({ type: "cancel" }).catch(() => {})
    })
    return CancellationScope.nonCancellable(async () => {
      const { taskQueue } = settings
      const { missingServices } = proxyActivities<TemporalActivities>({
        startToCloseTimeout: 60_000,
        ...(taskQueue !== undefined && { taskQueue }),
      })
      const refusal = await missingServices(order.chart)
      const onOpened = (run: Run): void => {
        current = run
        opened(run)
      }
      try {
        return await executeRun(
          order,
          {
            ...engine,
            refused(message, error) {
              engine.refused?.(message, error)
              refused(message, error)
            },
          },
          { refusal, opened: onOpened },
        )
      } catch (error) {
        throw failureOf(error)
      } finally {
        hasEnded = true
        engine.close(runFinishedError(order.runId))
        await condition(allHandlersFinished)
      }
    })
  }
}

/**
 * Converts an error of this package to a non-retryable Temporal failure. Other errors are returned
 * unchanged, so that Temporal retries the workflow task. A new version of the program may then fix
 * the problem.
 */
const failureOf = (error: unknown): unknown =>
  error instanceof AgentStatechartsError
    ? ApplicationFailure.nonRetryable(error.message, error.code)
    : error

function statusOf(run: Run | null): EngineStatus {
  if (run === null) return { status: "running", pending: [], text: null }
  const { status, text } = run.snapshot()
  return { status, pending: run.pending(), text }
}
