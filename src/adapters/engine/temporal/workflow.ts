/** What a bundle of workflows imports: a run as a workflow of Temporal. Experimental. */
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
  /** Told of the run before it begins, for its `events$`, which tell the past again whenever the workflow is replayed. Runs inside of the workflow. */
  readonly opened?: (run: Run) => void
  /** A message did not fit what the run waited for, and has changed nothing. Runs inside of the workflow. */
  readonly refused?: (message: RunMessage, error: Error) => void
}

/**
 * A workflow that carries runs. Its name in Temporal is that of the export.
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
    let isOver = false
    const give = async (message: RunMessage): Promise<void> => {
      try {
        if (isOver) throw runFinishedError(order.runId)
        await engine.message(message)
      } catch (error) {
        throw failureOf(error)
      }
    }
    // Who sends a signal hears nothing of a refusal; `refused` does.
    setHandler(defineSignal<[RunMessage]>(messageSignal), (message) => {
      engine.message(message).catch(() => {})
    })
    setHandler(defineUpdate<void, [RunMessage]>(messageUpdate), give)
    setHandler(defineQuery<EngineStatus>(statusQuery), () => statusOf(current))
    // Temporal's own cancellation ends a run as its `cancel` does: what has finished is kept, and is the result.
    CancellationScope.current().cancelRequested.catch(() => {
      engine.message({ type: "cancel" }).catch(() => {})
    })
    return CancellationScope.nonCancellable(async () => {
      const { taskQueue } = settings
      const { missingServices } = proxyActivities<TemporalActivities>({
        startToCloseTimeout: 60_000,
        ...(taskQueue === undefined ? {} : { taskQueue }),
      })
      const refusal = await missingServices(order.chart)
      const told = (run: Run): void => {
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
          { refusal, opened: told },
        )
      } catch (error) {
        throw failureOf(error)
      } finally {
        isOver = true
        engine.close(runFinishedError(order.runId))
        await condition(allHandlersFinished)
      }
    })
  }
}

/** Anything else is tried again by Temporal, as of a program that may have been mended meanwhile. */
const failureOf = (error: unknown): unknown =>
  error instanceof AgentStatechartsError
    ? ApplicationFailure.nonRetryable(error.message, error.code)
    : error

function statusOf(run: Run | null): EngineStatus {
  if (run === null) return { status: "running", pending: [], text: null }
  const { status, text } = run.snapshot()
  return { status, pending: run.pending(), text }
}
