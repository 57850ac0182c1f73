import type { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk"
import type { CallIdentity } from "../../../machines/contract/services.js"
import type { RunError, RunResult } from "../../../machines/contract/run-event.js"
import type { RunOrder } from "../../../runtime/engine/execute-run.js"
import { executeRun } from "../../../runtime/engine/execute-run.js"
import type { Engine, EngineEvent } from "../../../runtime/engine/engine.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import type { Run } from "../../../runtime/run/run.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { EngineStatus } from "../engine-runs.js"
import type { MessageOutcome } from "../message-outcome.js"
import { runFinishedError, rejectionOf } from "../message-outcome.js"
import type { DbosArrival, DbosCalls } from "./open-calls.js"

/** Name of the DBOS topic on which a run receives its messages. */
export const inboxTopic = "agent-statecharts"
export const statusEvent = "status"

/**
 * Maximum number of pending requests in the DBOS event that publishes a run's status. Each change
 * stores the complete event again. Without a limit, the stored data would grow quadratically with
 * the number of requests.
 */
const maxStoredRequests = 100

/**
 * A message to a run in its DBOS inbox. Its outcome is published as the DBOS event
 * `outcomeEvent(id)`.
 */
export interface DbosMessage {
  readonly id: string
  readonly message: RunMessage
}

export const outcomeEvent = (id: string): string => `verdict:${id}`

/**
 * Value of the DBOS event that reports the outcome of a message. The outcome is wrapped in an
 * object, because it may be null, and DBOS returns null for an event that does not exist.
 */
export interface StoredOutcome {
  readonly verdict: MessageOutcome
}

/**
 * A message that a run sends to itself after it has ended. It marks the end of the inbox, so that
 * the run stops waiting for further messages.
 */
const closing = { id: "closed", message: null } as const

type Inbox = DbosMessage | typeof closing

/**
 * Timeout for receiving a message, in seconds. The value is ten years, so a run effectively waits
 * forever.
 */
const receiveTimeoutSeconds = 10 * 365 * 24 * 3600

export interface DbosRunContext {
  readonly dbos: typeof DBOS
  /** Class of the error that DBOS throws if another execution has taken over the run. */
  readonly conflict: typeof DBOSWorkflowConflictError
  readonly performer: CallPerformer
  readonly calls: DbosCalls
  readonly opened: (run: Run) => void
  readonly refused: (runId: string, message: RunMessage, error: Error) => void
}

/**
 * Executes a run as the body of a DBOS workflow. Each time the run waits for an event, it executes
 * a DBOS step. The step stores the results of completed calls and the arrival of messages. On
 * recovery, DBOS returns the stored steps in order. The run repeats its transitions, but it
 * executes only the calls without a stored result.
 */
export async function executeDbosRun(
  order: RunOrder,
  { dbos, conflict, performer, calls, opened, refused }: DbosRunContext,
): Promise<RunResult> {
  const receive = (): Promise<Inbox | null> => {
    const message = dbos.recv<Inbox>(inboxTopic, {
      timeoutSeconds: receiveTimeoutSeconds,
    })
    // Receiving fails if this process is closing or DBOS has cancelled the run. In the latter case,
    // the next step throws too.
    message.then(
      () => calls.setUnread(true),
      (error: unknown) => {
        if (error instanceof conflict) calls.fail(error)
      },
    )
    return message
  }
  let messages = 0
  let published = ""
  const publishStatus = async (run: Run): Promise<void> => {
    const pending = run.pending().slice(0, maxStoredRequests)
    const isIdle = calls.open.size === 0
    const fingerprint =
      pending.length > 0
        ? JSON.stringify([isIdle, pending.map(({ id }) => id)])
        : isIdle
          ? String(messages)
          : ""
    if (fingerprint === published) return
    published = fingerprint
    const { status, text } = run.snapshot()
    await dbos.setEvent<EngineStatus>(statusEvent, { status, pending, text })
  }
  // The check is a stored step, so a run that is recovered with missing services continues. Only
  // calls that need these services fail.
  const refusal = await dbos.runStep(
    async (): Promise<RunError | null> => performer.missing(order.chart),
    { name: "services" },
  )
  let inbox = receive()
  const read = async (): Promise<RunMessage> => {
    // The cast is safe: the closing message is sent only after the last call of `read`.
    const { id, message } = (await inbox) as DbosMessage
    reading = id
    calls.setUnread(false)
    messages++
    inbox = receive()
    return message
  }
  /** Id of the message that the run has read last. Empty before the first message. */
  let reading = ""
  /** Outcomes of messages that have not been published yet. */
  const outcomes: { readonly id: string; readonly outcome: MessageOutcome }[] = []
  const publishOutcomes = async (): Promise<void> => {
    for (const { id, outcome } of outcomes.splice(0))
      await dbos.setEvent<StoredOutcome>(outcomeEvent(id), { verdict: outcome })
  }
  let arrived: Iterator<DbosArrival> = [].values()
  const engine: Engine = {
    begin: (call) => calls.begin(call),
    async next(run: Run): Promise<EngineEvent> {
      for (;;) {
        for (let arrival = arrived.next(); arrival.done !== true; arrival = arrived.next()) {
          const { value } = arrival
          if ("message" in value) return { message: await read(), at: value.at }
          // An earlier event in this batch may have cancelled the call.
          if (calls.open.has(value.n)) {
            calls.close(value.n)
            return value
          }
        }
        await publishOutcomes()
        await publishStatus(run)
        const stored = await dbos.runStep(() => calls.arrivals(dbos.stepStatus?.cancelSignal), {
          name: stepName(calls),
        })
        arrived = stored.values()
      }
    },
    accepted: () => void outcomes.push({ id: reading, outcome: null }),
    refused(message, error) {
      outcomes.push({ id: reading, outcome: rejectionOf(error) })
      refused(order.runId, message, error)
    },
  }
  const result = await executeRun(order, engine, { refusal, opened })
  await publishOutcomes()
  // Messages that are still in the inbox arrived after the end of the run. They are rejected, so
  // that no sender waits forever.
  await dbos.send(order.runId, closing, inboxTopic)
  for (let entry = await inbox; entry?.message !== null; entry = await inbox) {
    if (entry !== null)
      outcomes.push({ id: entry.id, outcome: rejectionOf(runFinishedError(order.runId)) })
    inbox = receive()
  }
  await publishOutcomes()
  return result
}

/**
 * Returns the name of a DBOS step for the DBOS console, for example `one of 3 calls`. The name must
 * be deterministic, because DBOS compares it with the stored name during recovery.
 */
function stepName({ open }: DbosCalls): string {
  if (open.size === 0) return "a message"
  if (open.size > 1) return `one of ${open.size} calls`
  const [call] = open.values()
  const { request, waits } = (call?.input ?? {}) as {
    readonly request?: CallIdentity
    /**
     * Path of the WaitAgent in the agent tree, if the call is the pause of a WaitAgent. Otherwise
     * absent.
     */
    readonly waits?: string
  }
  return request === undefined
    ? (waits ?? "a pause")
    : request.idempotencyKey.slice(request.runId.length + 1)
}
