import { historyEntries } from "../contract/history.js"
import { outputOf, requestIdOf, timeOf } from "../contract/machine-event.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { PendingRequest, Reply } from "../contract/pending-request.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import type { Envelope } from "../contract/services.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { runErrorOf } from "../contract/turn.js"
import { workflowNamed } from "./called-charts.js"
import type { ChildProgress } from "./workflow-call.js"
import { childRunId } from "./workflow-call.js"
import { emptyPatch } from "../data/session-state.js"
import type { Deadline } from "../requests/expiry.js"
import { emitExpired, expiryTime } from "../requests/expiry.js"
import { reportPaused } from "../requests/report-paused.js"
import type { FinishedChild, WorkflowAgentContext } from "./workflow-agent-context.js"
import {
  callLocation,
  callPath,
  childRequest,
  messageFor,
  workflowAgentContext,
} from "./workflow-agent-context.js"

type Context = WorkflowAgentContext

/**
 * The implementation of `workflowAgentConfig`: the guards and actions to which it refers by name.
 */
export const workflowAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  contextFrom: workflowAgentContext,

  guards: {
    answersOpenRequest: ({ requests }, event) => Object.hasOwn(requests, requestIdOf(event)),
    childFailed: ({ error }) => error !== null,
    childDone: ({ ended }) => ended !== null,
  },

  updates: {
    startCalling: (context, _event, _params, step) => {
      const { input, definition, at } = context
      const location = callLocation(input)
      step.emit({ type: "agent.started", kind: "WorkflowAgent", ...childOf(context), ...location })
      for (const name of messageFor(context).missing)
        step.emit({
          type: "warning",
          message: `the prompt of agent "${input.agent}" contains {${name}}, but the session state has no such key`,
          ...location,
        })
      callChild(context, step)
      if (definition.maxDurationMs === undefined) return
      const deadline: Deadline = { until: at + definition.maxDurationMs, awaits: input.path }
      step.start("deadline", "sleepUntil", deadline)
    },
    takeProgress: (context, event, _params, step) => {
      // The leaf `callWorkflow` validates the progress of the child run.
      const result = outputOf<Envelope<ChildProgress>>(event)
      context.at = result.at
      if (!result.ok) context.error = runErrorOf(context.input.agent, result.error)
      else if ("pending" in result.value) proceed(context, result.value, step)
      else {
        closeRequests(context, new Set(), step)
        context.ended = result.value
        context.error = failureOf(context, result.value)
      }
    },
    passAnswer: (context, event, _params, step) => {
      const id = requestIdOf(event)
      const { [id]: request, ...others } = context.requests
      context.at = timeOf(event)
      context.requests = others
      context.isWaiting = false
      emitAnswered(context, event, step)
      if (request?.child === undefined) return
      // Only answers to requests pass the guard. Their ids are those of this run.
      const answer = { ...event, id: request.child.request } as unknown as Reply
      context.answers = [...context.answers, answer]
      callChild(context, step)
      reportPaused(context, false, step)
    },
    passCallDeadline: (context, event, _params, step) => {
      const { agent } = context.input
      const ms = context.definition.maxDurationMs ?? 0
      context.at = expiryTime(event)
      context.error = {
        code: "deadline_passed",
        agent,
        message: `the workflow that agent "${agent}" calls has taken longer than its maxDuration (${ms} ms)`,
      }
      step.emit({ type: "deadline.passed", ms, ...callLocation(context.input) })
    },
    stopCalling: (context, event) => {
      context.at = timeOf(event)
    },
    finishCalling: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      context.requests = {}
      step.emit({
        type: "agent.finished",
        kind: "WorkflowAgent",
        outcome: params.signal,
        text: textOf(context),
        ...childOf(context),
        ...(context.error !== null && { error: context.error }),
        ...callLocation(context.input),
      })
    },
  },

  childInput: () => ({}),

  output: (context) => {
    const { input, definition, calls, ended, error, signal, at } = context
    const text = textOf(context)
    const value = definition.output === "state" ? ended?.state : text
    const isSaved = signal === "done" && definition.outputKey !== null && value != null
    return {
      signal: signal ?? "stopped",
      text,
      lastText: text,
      patch: isSaved ? { set: { [definition.outputKey]: value }, removed: [] } : emptyPatch,
      handoffTo: null,
      error,
      answeredByTool: false,
      memory: input.remember ? { conversation: [], calls: calls + 1 } : null,
      spoken:
        text === null || input.history === null
          ? []
          : historyEntries(input.agent, [{ role: "assistant", content: text }]),
      escalates: false,
      at,
    }
  },

  pending: ({ requests }) => Object.values(requests),
}

const textOf = ({ ended, error }: Context): string | null =>
  error === null ? (ended?.text ?? null) : null

/** Returns the fields that link an event to the child run. */
const childOf = (context: Context) => ({
  workflow: context.definition.workflow,
  childRun: childRunId(childRequest(context)),
})

/**
 * Starts a call to the child run. A call that is already running is replaced, which does not affect
 * the child run.
 */
function callChild(context: Context, step: Step): void {
  const request = childRequest(context)
  const called = workflowNamed(request.workflow, [step.chart.workflows])
  step.start("call", "callWorkflow", {
    request: called === undefined ? request : { ...request, fingerprint: called.fingerprint },
  })
}

/**
 * Updates the pending requests of this run to match those of the child run, and calls the child run
 * again.
 */
function proceed(
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
      message: `the child run of agent "${input.agent}" did not use the answer to "${id}": the request had been answered or had expired in the child run`,
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
      child: { runId: childRunId(childRequest(context)), request: request.id },
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

/** Closes the requests that are not in `open`: they were answered or have expired in the child run. */
function closeRequests(context: Context, open: ReadonlySet<string>, step: Step): void {
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

function emitAnswered(context: Context, event: MachineEvent, step: Step): void {
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

/** Returns the error of the agent if the child run did not complete. */
function failureOf(context: Context, { status, error }: FinishedChild): RunError | null {
  if (status === "completed") return null
  const { agent } = context.input
  const why = error === null ? "" : `: ${error.message}`
  return {
    code: "child_run_failed",
    agent,
    message: `the child run "${childOf(context).childRun}" of agent "${agent}" ended with status ${status}${why}`,
  }
}
