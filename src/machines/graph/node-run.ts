import type { HookListInput, HookListOutput } from "../host-functions/hook-list.js"
import type { HookUse } from "../contract/hook-use.js"
import { childOf, outputOf, requestIdOf, timeOf } from "../contract/machine-event.js"
import type { Envelope } from "../contract/services.js"
import type { MachineKind } from "../contract/machine-kind.js"
import type { Outcome } from "../contract/run-event.js"
import { emitStateChange } from "../containers/emit-state-change.js"
import { isJsonObject } from "../data/json-object.js"
import { applyPatch, forkState, patchOf } from "../data/session-state.js"
import { sendPaused, sendResumed } from "../requests/report-paused.js"
import { startAttempt } from "./node-attempt.js"
import type { NodeRunContext, NodeRunInput, NodeRunOutput } from "./node-run-context.js"
import { inputValueOf, locationOfRun, nodeFailure, runErrorFrom } from "./node-run-context.js"
import { askPeople, questionsAnswered, recordAnswer } from "./node-questions.js"
import { retryDelay } from "./node-retry.js"
import { isAgent } from "./graph-context.js"
import { textOf } from "./graph-turns.js"
import { turnOfAttempt } from "./node-turn.js"

type Context = NodeRunContext

const optionsOf = ({ input }: Context) => input.node.options ?? {}

const delayOf = (context: Context): number | null => {
  const { attempt, turn, input } = context
  return turn === null || turn.failure === null
    ? null
    : retryDelay(
        optionsOf(context),
        attempt,
        turn.failure,
        `${input.runId}/${input.path}#${attempt}`,
      )
}

const asks = ({ turn }: Context): boolean => turn !== null && turn.questions.length > 0

/**
 * The guards and actions of the XState config `nodeRunConfig`, by name. Also contains the functions
 * that create the context and the output of this machine.
 */
export const nodeRunKind: MachineKind<Context, NodeRunInput, NodeRunOutput> = {
  contextFrom: (input) => ({
    input: { ...input, inputValue: input.inputValue ?? inputValueOf(input.prompt) },
    at: input.at,
    state: forkState(input.state),
    attempt: 1,
    dueAt: input.at,
    turn: null,
    answers: {},
    questionCount: 0,
    open: [],
    result: null,
    newEntries: [],
    failure: null,
    error: null,
    signal: null,
  }),

  guards: {
    hasBeforeCallbacks: (context) => (optionsOf(context).beforeNode ?? []).length > 0,
    callbackFailed: (_, event) => outputOf<HookListOutput>(event).error !== null,
    callbackAnswered: (_, event) => isJsonObject(outputOf<HookListOutput>(event).answer),
    asks,
    mayRetry: (context) => delayOf(context) !== null,
    endedAs: ({ turn }, _event, { signal }: { signal: Outcome }) => turn?.signal === signal,
    endedWithCallbacks: (context) =>
      context.turn?.signal === "done" && (optionsOf(context).afterNode ?? []).length > 0,
    answersQuestion: ({ open }, event) => open.some(({ id }) => id === requestIdOf(event)),
    answersLastQuestion: ({ open }, event) =>
      open.length === 1 && open[0]?.id === requestIdOf(event),
    answersLastQuestionAndReruns: (context, event) =>
      context.open.length === 1 &&
      context.open[0]?.id === requestIdOf(event) &&
      optionsOf(context).rerunOnResume === true,
  },

  updates: {
    startAttempt: (context, _event, _params, step) => startAttempt(context, step),
    recordAttempt: (context, event, _params, step) => {
      const { options } = context.input.node
      if (options?.timeoutMs !== undefined) step.stop("timeout")
      const turn = turnOfAttempt(context, event["output"], step)
      context.at = turn.at
      context.turn = turn
      context.newEntries = [...context.newEntries, ...turn.newEntries]
      if (turn.signal === "failed") return
      context.state = applyPatch(context.state, turn.patch)
      // A nested graph or a ParallelWorker has already emitted the state changes of its nodes.
      const { graph, worker } = context.input.node
      if (graph === undefined && worker === undefined)
        emitStateChange(locationOfRun(context), turn.patch, step)
      if (turn.signal === "done" && turn.questions.length === 0) context.result = turn
    },
    timeOut: (context, event, _params, step) => {
      const { node } = context.input
      step.stop("run")
      context.at = outputOf<Envelope>(event).at
      const seconds = (node.options?.timeoutMs ?? 0) / 1000
      context.turn = nodeFailure(context, {
        name: "NodeTimeoutError",
        message: `Node '${node.id}' timed out after ${seconds} seconds.`,
      })
    },
    scheduleRetry: (context, _event, _params, step) => {
      const { failure } = context.turn ?? {}
      context.dueAt = context.at + Math.ceil(delayOf(context) ?? 0)
      context.attempt = context.attempt + 1
      context.turn = null
      step.emit({
        type: "retry.scheduled",
        of: `${context.input.runId}/${context.input.path}`,
        attempt: context.attempt,
        until: context.dueAt,
        error: {
          code: "host_code_failed",
          message: failure?.message ?? "the attempt failed",
          retryable: true,
        },
        ...locationOfRun(context),
      })
    },
    setTime: (context, event) => {
      context.at = outputOf<Envelope>(event).at
    },
    askPeople: (context, _event, _params, step) => askPeople(context, step),
    recordAnswer: (context, event, _params, step) => recordAnswer(context, event, step),
    returnAnswer: (context) => {
      context.result = { value: questionsAnswered(context), isShown: true }
      if (context.turn !== null) context.turn = { ...context.turn, signal: "done", questions: [] }
    },
    applyCallbacks: (context, event, _params, step) => {
      const { answer, changed, error, at } = outputOf<HookListOutput>(event)
      context.at = at
      for (const patch of changed) {
        context.state = applyPatch(context.state, patch)
        emitStateChange(locationOfRun(context), patch, step)
      }
      if (error !== null) {
        context.error = error
        context.failure = { name: "Error", message: error.message }
      } else if (isJsonObject(answer)) {
        const value = answer["value"]
        context.result = {
          ...context.result,
          ...(value !== undefined && { value }),
          isShown: true,
        }
      }
    },
    reportPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      if (childOf(event) === "run") sendPaused(step, context.at)
    },
    reportResumed: (_context, _event, _params, step) => sendResumed(step),
    stopNode: (context, event) => {
      context.at = timeOf(event)
      context.open = []
    },
    finishNode: (context, _event, { signal }: { signal: Outcome }, step) => {
      const { node } = context.input
      context.signal = signal
      if (signal === "failed" && context.turn !== null)
        context.state = applyPatch(context.state, context.turn.patch)
      const failure =
        context.failure ?? (signal === "failed" ? (context.turn?.failure ?? null) : null)
      context.failure = failure
      context.error ??= context.turn?.error ?? (failure && runErrorFrom(context, failure))
      const text = textOf(context.result?.value)
      const { result } = context
      const location = locationOfRun(context)
      if (!isAgent(node))
        step.emit({ type: "agent.finished", kind: node.kind, outcome: signal, text, ...location })
      step.emit({
        type: "node.finished",
        ...(result?.value !== undefined && { output: result.value }),
        ...(result?.route !== undefined && { route: result.route }),
        ...(result?.isShown === true && { isShown: true as const }),
        ...(failure !== null && { error: failure }),
        ...location,
      })
    },
  },

  childInput: (context, src, config) =>
    src === "sleepUntil"
      ? { until: context.dueAt }
      : callbackInput(context, config["hook"] as "beforeNode" | "afterNode"),

  output: (context) => {
    const { signal, result, state, error, failure, newEntries, at } = context
    const text = textOf(result?.value)
    return {
      signal: signal ?? "stopped",
      text,
      lastText: text,
      patch: patchOf(state),
      handoffTo: null,
      error,
      answeredByTool: false,
      memory: null,
      newEntries,
      changesEmitted: true,
      escalates: false,
      at,
      result: result === null ? {} : valueOf(result),
      route: result?.route ?? null,
      failure,
    }
  },

  pending: ({ open }) => open,
}

const valueOf = ({ value }: { readonly value?: unknown }): { readonly value?: unknown } =>
  value === undefined ? {} : { value }

function callbackInput(context: Context, hook: "beforeNode" | "afterNode"): HookListInput {
  const { runId, agent, path, branch, iteration, node, inputValue } = context.input
  const services: readonly HookUse[] = node.options?.[hook] ?? []
  const value = hook === "beforeNode" ? inputValue : (context.result ?? {})
  const field = hook === "beforeNode" ? "input" : "output"
  return {
    runId,
    agent,
    path: `${path}/${hook}`,
    branch,
    iteration,
    services,
    input: { node: node.id, ...(value?.value !== undefined && { [field]: value.value }) },
    state: context.state,
    at: context.at,
  }
}
