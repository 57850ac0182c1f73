import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { contentOfMessage } from "../../machines/contract/user-content.js"
import { pastRun } from "../../runtime/history/replayed-run.js"
import type { StoredRun } from "../../runtime/index.js"
import { isOutside } from "../../runtime/journal/journal.js"
import type { EvalAnswer } from "../eval-set/eval-set.js"
import type { TurnRecord } from "../run/case-run.js"
import { turnRecorder } from "../run/turn-recorder.js"

/**
 * A turn of a recorded run, with the user message, the results, and the answers of people in this
 * turn.
 */
export interface RecordedTurn {
  readonly user: UserContent
  readonly record: TurnRecord
  readonly answers: readonly EvalAnswer[]
}

/** Turns of a recorded run, and the status of the run. */
export interface RecordedTurns {
  readonly turns: readonly RecordedTurn[]
  readonly status: RunStatus
}

/**
 * Divides a stored run into turns. Each turn begins with a user message. Does not call services.
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function recordedTurns({ header, records }: StoredRun): RecordedTurns {
  const { run, events } = pastRun({ header, past: [] })
  const recorder = turnRecorder()
  const messages: { readonly user: UserContent; readonly answers: EvalAnswer[] }[] = [
    { user: header.input.prompt ?? "", answers: [] },
  ]
  let seen = 0
  const addEvents = (): void => {
    for (; seen < events.length; seen++) {
      const event = events[seen]
      if (event !== undefined) recorder.add(event)
    }
  }
  addEvents()
  for (const record of records) {
    if (isOutside(record)) {
      const [, , event] = record
      if (event.type === "user.said") {
        recorder.endTurn(run.snapshot())
        messages.push({ user: contentOfMessage(event), answers: [] })
      } else {
        const answer = answerOf(event)
        if (answer !== null) messages.at(-1)?.answers.push(answer)
      }
      if (event.type === "run.stopped") break
    }
    run.append(record)
    addEvents()
  }
  const result = run.snapshot()
  recorder.endTurn(result)
  return {
    status: result.status,
    turns: recorder.turns.flatMap((record, index) => {
      const message = messages[index]
      return message === undefined ? [] : [{ ...message, record }]
    }),
  }
}

/**
 * Converts a recorded answer of a person to the format of eval sets, without the id of the request.
 * Returns null for events that are not answers.
 */
function answerOf(event: MachineEvent): EvalAnswer | null {
  // The assertion is safe, because the fields were checked before the event was recorded.
  const { args, reason, value } = event as MachineEvent & {
    readonly args?: EvalAnswer extends { readonly args?: infer Args } ? Args : never
    readonly reason?: string | null
  }
  switch (event.type) {
    case "human.approved":
      return { approve: true, ...(args !== null && args !== undefined && { args }) }
    case "human.rejected":
      return { reject: true, ...(reason !== null && reason !== undefined && { reason }) }
    case "human.answered":
      return { answer: value }
    default:
      return null
  }
}
