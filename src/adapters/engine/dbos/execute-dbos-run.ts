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
import type { Arrival, OpenCalls } from "./open-calls.js"

/** Where messages to a run come in, and the event that tells how it stands. */
export const inboxTopic = "agent-statecharts"
export const statusEvent = "status"

/** So many open requests are written down when one comes or goes, so that a thousand of them do not cost a million. */
const maxStoredRequests = 100

/** A message to a run. What became of it is the event `outcomeEvent(id)`. */
export interface InboxMessage {
  readonly id: string
  readonly message: RunMessage
}

export const outcomeEvent = (id: string): string => `verdict:${id}`

/** The value of that event: DBOS reads one that is not there as null. */
export interface StoredOutcome {
  readonly verdict: MessageOutcome
}

/** The letter that comes last: it ends the wait for the next one. */
const closing = { id: "closed", message: null } as const

type Inbox = InboxMessage | typeof closing

/** DBOS waits for a message so many seconds, which is ten years. */
const receiveTimeoutSeconds = 10 * 365 * 24 * 3600

export interface DbosRunContext {
  readonly dbos: typeof DBOS
  /** What DBOS throws at an execution that no longer has its run. */
  readonly conflict: typeof DBOSWorkflowConflictError
  readonly performer: CallPerformer
  readonly calls: OpenCalls
  readonly opened: (run: Run) => void
  readonly refused: (runId: string, message: RunMessage, error: Error) => void
}

/**
 * A run as the body of a DBOS workflow. Waiting for what comes is a step: DBOS stores which calls have ended and what they came to,
 * and that a message came. A workflow that is recovered is given the stored steps in their order, which makes it the same run, and
 * makes the calls whose results are in none.
 */
export async function executeDbosRun(
  order: RunOrder,
  { dbos, conflict, performer, calls, opened, refused }: DbosRunContext,
): Promise<RunResult> {
  const receive = (): Promise<Inbox | null> => {
    const message = dbos.recv<Inbox>(inboxTopic, {
      timeoutSeconds: receiveTimeoutSeconds,
    })
    // One that cannot be read ends nothing else: DBOS has cancelled the run and tells its steps so, or this process closes.
    message.then(
      () => calls.message(true),
      (error: unknown) => {
        if (error instanceof conflict) calls.lose(error)
      },
    )
    return message
  }
  let messages = 0
  let told = ""
  const tell = async (run: Run): Promise<void> => {
    const pending = run.pending().slice(0, maxStoredRequests)
    const rests = calls.open.size === 0
    const standing =
      pending.length > 0
        ? JSON.stringify([rests, pending.map(({ id }) => id)])
        : rests
          ? String(messages)
          : ""
    if (standing === told) return
    told = standing
    const { status, text } = run.snapshot()
    await dbos.setEvent<EngineStatus>(statusEvent, { status, pending, text })
  }
  // A run goes on as it began, also where services are missing now: the calls that need them fail.
  const refusal = await dbos.runStep(
    async (): Promise<RunError | null> => performer.missing(order.chart),
    { name: "services" },
  )
  let inbox = receive()
  const read = async (): Promise<RunMessage> => {
    // The closing letter is sent when nobody reads any more.
    const { id, message } = (await inbox) as InboxMessage
    reading = id
    calls.message(false)
    messages++
    inbox = receive()
    return message
  }
  /** The letter that the run handles now, and what became of those before it. */
  let reading = ""
  const verdicts: { readonly id: string; readonly verdict: MessageOutcome }[] = []
  const tellSenders = async (): Promise<void> => {
    for (const { id, verdict } of verdicts.splice(0))
      await dbos.setEvent<StoredOutcome>(outcomeEvent(id), { verdict })
  }
  let arrived: Iterator<Arrival> = [].values()
  const engine: Engine = {
    begin: (call) => calls.begin(call),
    async next(run: Run): Promise<EngineEvent> {
      for (;;) {
        for (let arrival = arrived.next(); arrival.done !== true; arrival = arrived.next()) {
          const { value } = arrival
          if ("message" in value) return { message: await read(), at: value.at }
          // What came before it may have stopped it.
          if (calls.open.has(value.n)) {
            calls.close(value.n)
            return value
          }
        }
        await tellSenders()
        await tell(run)
        const stored = await dbos.runStep(() => calls.arrivals(dbos.stepStatus?.cancelSignal), {
          name: stepName(calls),
        })
        arrived = stored.values()
      }
    },
    accepted: () => void verdicts.push({ id: reading, verdict: null }),
    refused(message, error) {
      verdicts.push({ id: reading, verdict: rejectionOf(error) })
      refused(order.runId, message, error)
    },
  }
  const result = await executeRun(order, engine, { refusal, opened })
  await tellSenders()
  // What is in the inbox now came too late. Nothing of a run that is over may wait on in this process.
  await dbos.send(order.runId, closing, inboxTopic)
  for (let letter = await inbox; letter?.message !== null; letter = await inbox) {
    if (letter !== null)
      verdicts.push({ id: letter.id, verdict: rejectionOf(runFinishedError(order.runId)) })
    inbox = receive()
  }
  await tellSenders()
  return result
}

/** What is waited for, for those who look at the steps in DBOS: always the same, as DBOS compares it. */
function stepName({ open }: OpenCalls): string {
  if (open.size === 0) return "a message"
  if (open.size > 1) return `one of ${open.size} calls`
  const [call] = open.values()
  const request = (call?.input as { readonly request?: CallIdentity } | undefined)?.request
  return request === undefined ? "a pause" : request.idempotencyKey.slice(request.runId.length + 1)
}
