import type { DBOS } from "@dbos-inc/dbos-sdk"
import type { CallIdentity } from "../../../machines/contract.js"
import type { RunError, RunResult } from "../../../machines/run-event.js"
import type { RunOrder } from "../../../runtime/engine/carry-run.js"
import { carryRun } from "../../../runtime/engine/carry-run.js"
import type { LeafCall } from "../../../runtime/host.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import type { Run } from "../../../runtime/run.js"
import type { RunMessage } from "../../../runtime/run-message.js"
import type { EngineStatus } from "../engine-runs.js"
import type { OpenCalls } from "./open-calls.js"

/** Where messages to a run come in, and the event that tells how it stands. */
export const inboxTopic = "agent-statecharts"
export const statusEvent = "status"

/** So many open requests are written down when one comes or goes, so that a thousand of them do not cost a million. */
const shownRequests = 100

/** The message that comes last: it ends the wait for the next one. */
const closing = { type: "closed" } as const

/** DBOS waits for a message so many seconds, which is ten years. */
const longEnough = 10 * 365 * 24 * 3600

export interface CarriedOnDbos {
  readonly dbos: typeof DBOS
  readonly performer: CallPerformer
  readonly calls: OpenCalls
  readonly opened: (run: Run) => void
  readonly refused: (runId: string, message: RunMessage, error: Error) => void
}

/**
 * A run as the body of a DBOS workflow. What comes next is one step: DBOS stores which call has ended and what it came to, or
 * that a message came. A workflow that is recovered is given the stored steps in their order, which makes it the same run, and
 * makes the calls that have none.
 */
export async function carryOnDbos(order: RunOrder, { dbos, performer, calls, opened, refused }: CarriedOnDbos): Promise<RunResult> {
  const receive = (): Promise<RunMessage | typeof closing | null> => {
    const message = dbos.recv<RunMessage | typeof closing>(inboxTopic, { timeoutSeconds: longEnough })
    // One that cannot be read ends nothing: DBOS has cancelled the run and tells its steps so, or this process closes.
    message.then(() => calls.message(true), () => {})
    return message
  }
  let messages = 0
  let told = ""
  const tell = async (run: Run): Promise<void> => {
    const pending = run.pending().slice(0, shownRequests)
    const rests = calls.open.size === 0
    const standing = pending.length > 0 ? JSON.stringify([rests, pending.map(({ id }) => id)]) : rests ? String(messages) : ""
    if (standing === told) return
    told = standing
    const { status, text } = run.snapshot()
    await dbos.setEvent<EngineStatus>(statusEvent, { status, pending, text })
  }
  // A run goes on as it began, also where services are missing now: the calls that need them fail.
  const refusal = await dbos.runStep(async (): Promise<RunError | null> => performer.missing(order.chart), { name: "services" })
  let inbox = receive()
  const engine = {
    begin: (call: LeafCall) => calls.begin(call),
    async next(run: Run) {
      await tell(run)
      const first = await dbos.runStep(() => calls.first(dbos.stepStatus?.cancelSignal), { name: stepName(calls) })
      if ("n" in first) {
        calls.close(first.n)
        return first
      }
      const message = (await inbox) as RunMessage
      calls.message(false)
      messages++
      inbox = receive()
      return { message, at: first.at }
    },
    refused: (message: RunMessage, error: Error) => refused(order.runId, message, error),
  }
  const result = await carryRun(order, engine, { refusal, opened })
  // What is in the inbox now came too late. Nothing of a run that is over may wait on in this process.
  await dbos.send(order.runId, closing, inboxTopic)
  while ((await inbox)?.type !== "closed") inbox = receive()
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
