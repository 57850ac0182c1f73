import { historyEntries } from "../contract/history.js"
import { outputOf, requestIdOf, timeOf } from "../contract/machine-event.js"
import type { MachineKind } from "../contract/machine-kind.js"
import type { Reply } from "../contract/pending-request.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import type { Envelope } from "../contract/services.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { runErrorOf } from "../contract/turn.js"
import type { StatePatch } from "../data/session-state.js"
import { emptyPatch } from "../data/session-state.js"
import type { Deadline } from "../requests/expiry.js"
import { expiryTime } from "../requests/expiry.js"
import { reportPaused } from "../requests/report-paused.js"
import { callChild, calledBy, childId, childName, scheduleRetry } from "./child-call.js"
import { closeRequests, emitAnswered, proceed } from "./child-requests.js"
import type { RemoteIds } from "./remote-call.js"
import { contextIdIn, contextKey } from "./remote-context.js"
import type { FinishedChild, WorkflowAgentContext } from "./workflow-agent-context.js"
import {
  callKey,
  callLocation,
  messageFor,
  workflowAgentContext,
} from "./workflow-agent-context.js"
import type { ChildProgress } from "./workflow-call.js"

type Context = WorkflowAgentContext

/**
 * The guards and actions of the XState config `workflowAgentConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
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
      step.emit({ type: "agent.started", ...calledBy(context), ...location })
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
      if (!result.ok) {
        if (!scheduleRetry(context, result.error, step))
          context.error = runErrorOf(context.input.agent, result.error)
        return
      }
      const { remote } = result.value
      if (remote !== undefined) context.remote = { ...idsOf(remote), key: callKey(context) }
      delete context.attempt
      if ("pending" in result.value) proceed(context, result.value, step)
      else {
        closeRequests(context, new Set(), step)
        context.ended = result.value
        context.error = failureOf(context, result.value)
      }
    },
    callAgain: (context, event, _params, step) => {
      context.at = expiryTime(event)
      callChild(context, step)
    },
    passAnswer: (context, event, _params, step) => {
      const id = requestIdOf(event)
      const { [id]: request, ...others } = context.requests
      context.at = timeOf(event)
      context.requests = others
      context.isWaiting = false
      emitAnswered(context, event, step)
      if (request?.child === undefined) return
      // The guard accepts only answers to pending requests. In the child run, the request has its
      // own id.
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
        outcome: params.signal,
        text: textOf(context),
        ...calledBy(context),
        ...(context.error !== null && { error: context.error }),
        ...callLocation(context.input),
      })
    },
  },

  childInput: () => ({}),

  output: (context) => {
    const { input, definition, calls, error, signal, at } = context
    const text = textOf(context)
    const { outputKey } = definition
    const value = outputOfCall(context)
    const isSaved = signal === "done" && outputKey !== null && value != null
    return {
      signal: signal ?? "stopped",
      text,
      lastText: text,
      patch: patchWith({ ...(isSaved && { [outputKey]: value }), ...conversationOf(context) }),
      handoffTo: null,
      error,
      answeredByTool: false,
      memory: input.remember ? { conversation: [], calls: calls + 1 } : null,
      newEntries:
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

/**
 * Returns the value that is stored in the session state under the agent's `outputKey` after the
 * call has finished.
 */
function outputOfCall(context: Context): unknown {
  const { definition, ended } = context
  switch (definition.output) {
    case "text":
      return textOf(context)
    case "state":
      return ended?.state
    case "data":
      return ended?.remote?.data
    case "artifacts":
      return ended?.remote?.artifacts
  }
}

const patchWith = (set: Readonly<Record<string, unknown>>): StatePatch =>
  Object.keys(set).length === 0 ? emptyPatch : { set, removed: [] }

/**
 * Returns the state entry that stores the id of the conversation with a remote agent. The key of
 * the entry is hidden from users. Returns an empty object if the id has not changed.
 */
function conversationOf({ input, remote }: Context): Readonly<Record<string, unknown>> {
  const contextId = remote?.contextId ?? null
  return contextId === null || contextIdIn(input.state, input.agent) === contextId
    ? {}
    : { [contextKey(input.agent)]: contextId }
}

const idsOf = ({ task, contextId }: RemoteIds): RemoteIds => ({ task, contextId })

/**
 * Returns the error of the agent if the child run did not complete. Returns null if it completed.
 */
function failureOf(context: Context, { status, error }: FinishedChild): RunError | null {
  if (status === "completed") return null
  const { agent } = context.input
  const why = error === null ? "" : `: ${error.message}`
  return {
    code:
      context.definition.remote === undefined
        ? "child_run_failed"
        : (error?.code ?? "remote_task_failed"),
    agent,
    message: `the ${childName(context)} "${childId(context)}" of agent "${agent}" ended with status ${status}${why}`,
  }
}
