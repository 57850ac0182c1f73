import { requestIdOf, timeOf } from "../contract/machine-event.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Step } from "../contract/machine-kind.js"
import { sendPaused, sendResumed } from "../requests/report-paused.js"
import type { NodeRunContext } from "./node-run-context.js"
import { locationOfRun } from "./node-run-context.js"

/** Creates a pending request for each question that the last attempt of the node returned. */
export function askPeople(context: NodeRunContext, step: Step): void {
  const { input, turn } = context
  const location = locationOfRun(context)
  context.open = (turn?.questions ?? []).map(
    ({ id, message, payload, responseSchema }, index): PendingRequest => ({
      id: id === "" ? `${input.path}#${context.questionCount + index}` : id,
      kind: "human",
      ...location,
      prompt: message,
      details: { payload: payload ?? null, responseSchema },
      ...(responseSchema !== null && { answerSchema: responseSchema }),
    }),
  )
  context.questionCount = context.questionCount + context.open.length
  for (const request of context.open) step.emit({ type: "human.asked", request, ...location })
  sendPaused(step, context.at)
}

/** Stores a person's answer to one question of the node and closes the pending request. */
export function recordAnswer(context: NodeRunContext, event: MachineEvent, step: Step): void {
  const id = requestIdOf(event)
  const value = event["value"]
  context.at = timeOf(event)
  context.answers = { ...context.answers, [id]: value }
  context.open = context.open.filter((request) => request.id !== id)
  step.emit({ type: "human.answered", id, answer: { value }, ...locationOfRun(context) })
  if (context.open.length === 0) sendResumed(step)
}

/**
 * Returns the output of a node that asked people questions and does not run again after the
 * answers. With one question, the output is the answer. With several questions, it is an object
 * with the answers by question id.
 */
export function questionsAnswered({ answers, turn }: NodeRunContext): unknown {
  const [only] = Object.values(answers)
  return turn !== null && turn.questions.length > 1 ? answers : (only ?? null)
}
