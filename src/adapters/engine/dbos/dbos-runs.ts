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

// The cast is safe: the types of the package describe its exports.
const { DBOS, DBOSWorkflowConflictError: conflict } = enginePackage(
  "@dbos-inc/dbos-sdk",
  "5.3.0",
  "adapters/engine/dbos",
) as typeof Dbos

/**
 * Interval in seconds at which `give` checks whether the run has ended, while it waits for the
 * outcome of a message.
 */
const pollSeconds = 10

/** The DBOS workflow statuses of runs that have ended. DBOS does not recover these runs. */
const endedStatuses = ["SUCCESS", "ERROR", "CANCELLED"] as const

export interface DbosRunsOptions {
  /**
   * Name of the DBOS workflow. It must stay the same, because DBOS recovers interrupted runs by
   * this name. Default: `agent-statecharts`.
   */
  readonly name?: string
  /**
   * Called with each run that this process executes, before the run starts. When a run is recovered
   * after a restart, this function is called again, and `events$` emits the past events again.
   */
  readonly opened?: (run: Run) => void
  /**
   * Called when a run has rejected a message, for example an answer to a request that was already
   * answered. When DBOS recovers the run after a restart, this function is called again for the
   * same message.
   */
  readonly refused?: (runId: string, message: RunMessage, error: Error) => void
}

export interface DbosRuns extends EngineRuns {
  /**
   * Sends a message to a run. If several messages have the same `key`, the run receives only one of
   * them.
   */
  give(runId: string, message: RunMessage, key?: string): Promise<void>
  /**
   * Deletes a run that has ended from DBOS, together with its steps, messages and result.
   *
   * @throws AgentStatechartsError `run_unknown`, or `run_owned` if the run has not ended
   */
  delete(runId: string): Promise<void>
  /**
   * Deletes all runs of this DBOS workflow that ended before the time `endedBefore`, which is in
   * milliseconds since the epoch. Returns the ids of the deleted runs.
   */
  prune(options: { readonly endedBefore: number }): Promise<{ readonly runIds: readonly string[] }>
}

/** Maximum number of runs that `prune` deletes in one transaction. */
const pruneSize = 1_000

/**
 * Registers a DBOS workflow that executes runs, and returns functions to start and control them.
 * DBOS stores the runs in PostgreSQL. Call this function before `DBOS.launch()`, because `launch`
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
  /** Calls in flight of the runs that this process executes, by run id. */
  const callsByRun = new Map<string, DbosCalls>()

  const execute = async (order: RunOrder): Promise<RunResult> => {
    const calls = dbosCalls(performer)
    // DBOS has restarted the run in this process, so the calls of the earlier execution are
    // aborted.
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
      // If DBOS has restarted the run in this process, the map already contains the calls of the
      // new execution.
      if (callsByRun.get(order.runId) === calls) {
        callsByRun.delete(order.runId)
        performer.release(order.runId)
      }
    }
  }
  const workflow = DBOS.registerWorkflow(execute, { name })
  // When DBOS shuts down, this process cannot continue its runs, so their calls are aborted. The
  // next launch recovers the runs.
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
      throw new AgentStatechartsError(
        "run_unknown",
        `the run "${runId}" does not exist in DBOS; check the id, or start the run`,
      )
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
      // The cast is safe: the output of the workflow is the return value of `executeDbosRun`.
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
    async delete(runId) {
      const { status } = await statusOf(runId)
      if (endedStatuses.every((ended) => ended !== status))
        throw new AgentStatechartsError(
          "run_owned",
          `run "${runId}" has not ended (${status} in DBOS), so it was not deleted; cancel it first`,
        )
      await DBOS.deleteWorkflow(runId)
    },
    async prune({ endedBefore }) {
      const runIds: string[] = []
      for (;;) {
        const ended = await DBOS.listWorkflows({
          workflowName: name,
          status: [...endedStatuses],
          completedBefore: new Date(endedBefore - 1).toISOString(),
          limit: pruneSize,
          loadInput: false,
          loadOutput: false,
        })
        if (ended.length === 0) return { runIds }
        const ids = ended.map(({ workflowID }) => workflowID)
        await DBOS.deleteWorkflows(ids)
        runIds.push(...ids)
      }
    },
  }
}
