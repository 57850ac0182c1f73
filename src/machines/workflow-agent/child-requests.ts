import { requestIdOf } from "../contract/machine-event.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { Step } from "../contract/machine-kind.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { emitExpired } from "../requests/expiry.js"
import { reportPaused } from "../requests/report-paused.js"
import { callChild, childId, childName } from "./child-call.js"
import type { WorkflowAgentContext } from "./workflow-agent-context.js"
import { callLocation, callPath } from "./workflow-agent-context.js"
import type { ChildProgress } from "./workflow-call.js"

type Context = WorkflowAgentContext

/**
 * Applies the progress that a child run has reported. Creates a pending request in this run for
 * each pending request of the child run, so that people can answer it here. Closes the requests
 * that are no longer pending there. Then calls the child run again.
 */
export function proceed(
  context: Context,
  { status, pending, unused = [] }: Extract<ChildProgress, { readonly pending: unknown }>,
  step: Step,
): void {
  const { input } = context
  const location = callLocation(input)
  context.answers = []
  for (const id of unused)
    step.emit({
      type: "warning",
      message: `the ${childName(context)} of agent "${input.agent}" ignored the answer to the request "${id}", because the request was already answered or had expired in the ${childName(context)}`,
      ...location,
    })
  const open = new Set(pending.map(({ id }) => requestId(context, id)))
  closeRequests(context, open, step)
  for (const request of pending) {
    const id = requestId(context, request.id)
    if (Object.hasOwn(context.requests, id)) continue
    const own: PendingRequest = {
      ...request,
      ...location,
      id,
      child: { runId: childId(context), request: request.id },
    }
    context.requests = { ...context.requests, [id]: own }
    step.emit(
      own.kind === "input"
        ? { type: "user.awaited", request: own, ...location }
        : { type: "human.asked", request: own, ...location },
    )
  }
  context.isWaiting = status === "waiting"
  callChild(context, step)
  reportPaused(context, context.isWaiting, step)
}

const requestId = (context: Context, idInChild: string): string =>
  `${callPath(context)}/${idInChild}`

/**
 * Closes the requests whose ids are not in `open`. In the child run, these requests were answered
 * or have expired.
 */
export function closeRequests(context: Context, open: ReadonlySet<string>, step: Step): void {
  const kept: Record<string, PendingRequest> = {}
  for (const [id, request] of Object.entries(context.requests)) {
    if (open.has(id)) kept[id] = request
    else if (request.expiresAt !== undefined && request.expiresAt <= context.at)
      emitExpired(step, context.input, id, "continue")
    else
      step.emit({
        type: "human.answered",
        id,
        answer: { answeredIn: request.child?.runId },
        ...callLocation(context.input),
      })
  }
  context.requests = kept
}

export function emitAnswered(context: Context, event: MachineEvent, step: Step): void {
  const location = callLocation(context.input)
  const { type, id: _id, at: _at, ...answer } = event
  const id = requestIdOf(event)
  if (type === "user.said") step.emit({ type, id, text: String(answer["text"]), ...location })
  else
    step.emit({
      type: "human.answered",
      id,
      answer:
        type === "human.approved"
          ? { approved: true, ...answer }
          : type === "human.rejected"
            ? { approved: false, ...answer }
            : answer,
      ...location,
    })
}
