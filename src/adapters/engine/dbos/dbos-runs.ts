import type * as Dbos from "@dbos-inc/dbos-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { RunOrder } from "../../../runtime/engine/execute-run.js"
import { callPerformer } from "../../../runtime/host/call-performer.js"
import type { CallServices } from "../../../runtime/host/call-services.js"
import type { Run } from "../../../runtime/run/run.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { enginePackage } from "../engine-package.js"
import type { EngineRuns, EngineStatus } from "../engine-runs.js"
import { newRunOrder } from "../new-run-order.js"
import { throwIfRejected } from "../message-outcome.js"
import type { StoredOutcome, DbosMessage } from "./execute-dbos-run.js"
import { executeDbosRun, inboxTopic, statusEvent, outcomeEvent } from "./execute-dbos-run.js"
import type { DbosCalls } from "./open-calls.js"
import { dbosCalls } from "./open-calls.js"

// The package's own types describe its exports.
const { DBOS, DBOSWorkflowConflictError: conflict } = enginePackage(
  "@dbos-inc/dbos-sdk",
  "5.3.0",
  "adapters/engine/dbos",
) as typeof Dbos

/**
 * Seconds between checks whether the run has ended while a sender waits for the outcome of a
 * message.
 */
const pollSeconds = 10

export interface DbosRunsOptions {
  /** Name of the workflow in DBOS, which is also used for recovery. Default `agent-statecharts`. */
  readonly name?: string
  /**
   * Called with each run that this process executes, before it starts. Its `events$` repeats past
   * events after a restart.
   */
  readonly opened?: (run: Run) => void
  /**
   * Called when a message did not fit the pending requests and was rejected. Called again after a
   * restart.
   */
  readonly refused?: (runId: string, message: RunMessage, error: Error) => void
}

export interface DbosRuns extends EngineRuns {
  /** Sends a message. Repeated messages with the same `key` are handled once. */
  give(runId: string, message: RunMessage, key?: string): Promise<void>
}

/**
 * Executes runs on DBOS, which stores them in PostgreSQL. Call this before `DBOS.launch()`, which
 * recovers interrupted runs.
 *
 * @example
 * const runs = dbosRuns({ http })
 * DBOS.setConfig({ name: "agents", systemDatabaseUrl })
 * await DBOS.launch()
 * const runId = await runs.start(chart, { prompt: "Write." })
 * const { text } = await runs.result(runId)
 */
export function dbosRuns(
  services: CallServices,
  { name = "agent-statecharts", opened = () => {}, refused = () => {} }: DbosRunsOptions = {},
): DbosRuns {
  const performer = callPerformer(services)
  /** Open calls by run id, for the runs that this process executes. */
  const callsByRun = new Map<string, DbosCalls>()

  const execute = async (order: RunOrder): Promise<RunResult> => {
    const calls = dbosCalls(performer)
    // DBOS has restarted the run in this process, so the work of the earlier execution is obsolete.
    callsByRun.get(order.runId)?.stop()
    callsByRun.set(order.runId, calls)
    try {
      return await executeDbosRun(order, {
        dbos: DBOS,
        conflict,
        performer,
        calls,
        opened,
        refused,
      })
    } finally {
      calls.stop()
      // DBOS may have restarted the run in this process in the meantime.
      if (callsByRun.get(order.runId) === calls) {
        callsByRun.delete(order.runId)
        performer.release(order.runId)
      }
    }
  }
  const workflow = DBOS.registerWorkflow(execute, { name })
  // Without its database the process cannot continue these runs. The next launch recovers them.
  DBOS.registerLifecycleCallback({
    destroy: async () => {
      for (const [runId, calls] of callsByRun) {
        calls.stop()
        performer.release(runId)
      }
    },
  })

  const statusOf = async (runId: string) => {
    const status = await DBOS.getWorkflowStatus(runId)
    if (status === null)
      throw new AgentStatechartsError("run_unknown", `the run "${runId}" does not exist in DBOS`)
    return status
  }

  const refuseFinished = async (runId: string): Promise<void> => {
    const { status } = await statusOf(runId)
    if (status !== "PENDING" && status !== "ENQUEUED")
      throw new AgentStatechartsError(
        "run_finished",
        `run "${runId}" has finished (${status} in DBOS) and does not accept input`,
      )
  }

  return {
    async start(chart, start = {}) {
      const order = newRunOrder(chart, start, performer.now())
      const { runId } = order
      try {
        await DBOS.startWorkflow(workflow, { workflowID: runId, workflowIDReusePolicy: "reject" })(
          order,
        )
      } catch (cause) {
        if ((cause as Error).name !== "DBOSWorkflowIDInUseError") throw cause
        throw new AgentStatechartsError(
          "run_exists",
          `the run "${runId}" already exists in DBOS; choose another id`,
          {
            cause,
          },
        )
      }
      return runId
    },
    async give(runId, message, key) {
      await refuseFinished(runId)
      const id = key ?? crypto.randomUUID()
      await DBOS.send<DbosMessage>(runId, { id, message }, inboxTopic, key)
      for (;;) {
        const stored = await DBOS.getEvent<StoredOutcome>(runId, outcomeEvent(id), pollSeconds)
        if (stored !== null) return throwIfRejected(stored.verdict)
        await refuseFinished(runId)
      }
    },
    async status(runId) {
      const { status, output } = await statusOf(runId)
      // The workflow output is the return value of `executeDbosRun`.
      if (status === "SUCCESS")
        return {
          status: (output as RunResult).status,
          pending: [],
          text: (output as RunResult).text,
        }
      const published = await DBOS.getEvent<EngineStatus>(runId, statusEvent, 0)
      if (status === "CANCELLED" || status === "ERROR")
        return {
          status: status === "ERROR" ? "failed" : "cancelled",
          pending: [],
          text: published?.text ?? null,
        }
      return published ?? { status: "running", pending: [], text: null }
    },
    async result(runId) {
      await statusOf(runId)
      return DBOS.retrieveWorkflow<RunResult>(runId).getResult()
    },
  }
}
