import type { MachineKind, Step } from "../contract/machine-kind.js"
import { doneIndexOf, outputOf, timeOf } from "../contract/machine-event.js"
import type { Outcome } from "../contract/run-event.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { escalatesItself } from "../contract/turn.js"
import { patchOf } from "../data/session-state.js"
import { reportPaused } from "../requests/report-paused.js"
import {
  failCompletion,
  failedBranchLabel,
  isOutOfReach,
  isSuccess,
  missesCompletion,
  reportSettled,
  skipsOpenBranches,
} from "./completion.js"
import type { FanContext, FanInput } from "./fan-context.js"
import {
  branchAt,
  branchCount,
  branchName,
  fanContext,
  fanLocation,
  resultsInOrder,
} from "./fan-context.js"
import { joinFan } from "./fan-join.js"
import { evaluateItems, stateOfBranch } from "./for-each.js"
import { errorOfBranches } from "./join.js"

export const fanKind: MachineKind<FanContext, FanInput, TurnOutput> = {
  contextFrom: fanContext,

  guards: {
    itemsRefused: (context) => context.ending === "refused",
    branchLimited: (context) => context.ending === "limited",
    branchExited: (context) => context.ending === "exited",
    branchFailsFast: (context) => context.ending === "failed",
    completionReached: (context) => context.ending === "reached",
    escalationCancels: (context) => context.ending === "escalated",
    branchesFinished: (context) => context.finished === branchCount(context),
    joinFailed: (context) => context.error !== null,
    completionMissed: (context) =>
      context.input.fan.failurePolicy !== "collect" &&
      context.ending !== "escalated" &&
      missesCompletion(context),
    someBranchFailed: (context) =>
      context.failures > 0 &&
      context.input.fan.failurePolicy === "wait-all" &&
      context.input.fan.quorum === undefined,
    someBranchEscalated: (context) => context.escalated,
  },

  updates: {
    startFan: (context, _event, _params, step) => {
      step.emit({ type: "agent.started", kind: "ParallelAgent", ...fanLocation(context.input) })
      expand(context, step)
    },
    startBranches: (context, _event, _params, step) => startBranches(context, step),
    recordBranch: (context, event, _params, step) => {
      const output = outputOf<TurnOutput>(event)
      const index = doneIndexOf(event, "branch.")
      context.at = output.at
      context.results = { link: { index, output }, before: context.results }
      if (output.signal === "stopped") {
        context.ending = "stopped"
        return
      }
      context.atWork = context.atWork - 1
      context.finished = context.finished + 1
      noteEnd(context, output, step)
      if (
        context.ending === "limited" ||
        context.ending === "exited" ||
        context.ending === "failed"
      )
        noteError(context, index, output)
      reportPaused(context, isPaused(context), step)
    },
    setBranchPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      context.atWork = context.atWork - 1
      context.pausedBranches = context.pausedBranches + 1
      reportPaused(context, isPaused(context), step)
    },
    setBranchResumed: (context, _event, _params, step) => {
      context.atWork = context.atWork + 1
      context.pausedBranches = context.pausedBranches - 1
      reportPaused(context, isPaused(context), step)
    },
    stopBranches: (context, event, _params, step) => {
      context.at = timeOf(event)
      joinFan(context, step)
    },
    joinFan: (context, _event, _params, step) => joinFan(context, step),
    reportSettled: (context, _event, _params, step) => reportSettled(context, step),
    failCompletion: (context) => failCompletion(context),
    reportFailedBranches: (context) => {
      const failed = resultsInOrder(context).flatMap(({ index, output: { signal, error } }) =>
        signal === "failed" && error !== null
          ? [{ agent: failedBranchLabel(context, index), error }]
          : [],
      )
      context.error = errorOfBranches(context.input.agent, failed)
    },
    finishFan: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      const { text } = context
      step.emit({
        type: "agent.finished",
        kind: "ParallelAgent",
        outcome: params.signal,
        text,
        ...fanLocation(context.input),
      })
    },
  },

  childInput: () => ({}),

  output: (context) => ({
    signal: context.signal ?? "stopped",
    text: context.text,
    lastText: context.text,
    patch: patchOf(context.state),
    handoffTo: null,
    error: context.error,
    answeredByTool: false,
    memory: null,
    newEntries: context.newEntries,
    escalates: context.escalates,
    ...((context.escalates || context.escalated) && { escalatedInside: true }),
    at: context.at,
  }),

  pending: () => [],
}

/**
 * Evaluates the list of items of a parallel block with `forEach`. If the list is invalid, the block
 * fails before a branch starts. With `failurePolicy: "fail-fast"`, the block also fails if there
 * are too few items for its `quorum`, the required number of successful branches.
 */
function expand(context: FanContext, step: Step): void {
  const { forEach, failurePolicy } = context.input.fan
  if (forEach === undefined) return
  const evaluated = evaluateItems(context, forEach, step)
  if ("error" in evaluated) {
    context.error = evaluated.error
    context.ending = "refused"
    return
  }
  context.items = evaluated.items
  const count = evaluated.items.length
  step.emit({ type: "parallel.expanded", count, ...fanLocation(context.input) })
  if (count > 0 && failurePolicy === "fail-fast" && isOutOfReach(context)) {
    failCompletion(context)
    context.ending = "refused"
  }
}

/**
 * Updates the counters and the outcome of a parallel block after one of its branches has ended. In
 * the adk dialect, an escalation does not change the outcome `done` of the block. It only ends the
 * loops that contain the block.
 */
function noteEnd(context: FanContext, output: TurnOutput, step: Step): void {
  const { signal, escalates } = output
  const { subAgentExitFlow, failurePolicy, quorum, onEscalate } = context.input.fan
  const isAdk = step.chart.dialect === "adk"
  const exits = signal === "exited" && subAgentExitFlow !== "agent"
  if (signal === "limited" || exits) context.ending ??= signal
  if (signal === "escalated" && !isAdk) context.escalated = true
  if (escalates || (signal === "escalated" && isAdk)) context.escalates = true
  if (signal === "failed") context.failures = context.failures + 1
  if (isSuccess(output)) context.successes = context.successes + 1
  if (onEscalate === "cancel" && escalatesItself(output)) context.ending ??= "escalated"
  if (quorum === undefined) {
    if (signal === "failed" && failurePolicy === "fail-fast") context.ending ??= "failed"
  } else if (context.successes >= quorum) {
    context.ending ??= "reached"
  } else if (
    failurePolicy === "fail-fast" &&
    context.ending === null &&
    isOutOfReach(context) &&
    !skipsOpenBranches(context, step)
  ) {
    context.ending = "failed"
  }
}

/**
 * Sets the error of a parallel block after a branch has caused the block to end. If the branch
 * failed, the error message contains the name of the branch.
 */
function noteError(context: FanContext, index: number, { error }: TurnOutput): void {
  if (context.ending === "failed" && context.input.fan.quorum !== undefined) failCompletion(context)
  else if (error !== null) {
    const named = context.ending === "failed" ? ` (branch ${branchName(context, index)})` : ""
    context.error ??= { ...error, message: `${error.message}${named}` }
  }
}

/**
 * Starts the next branches, in declaration order, until `maxConcurrency` branches are running.
 * Branches that wait for a person are not counted.
 */
function startBranches(context: FanContext, step: Step): void {
  const { fan, runId, path, iteration, prompt, history } = context.input
  const count = branchCount(context)
  const room = fan.maxConcurrency ?? count
  while (context.ending === null && context.atWork < room && context.next < count) {
    const index = context.next
    const { agent, src, segment } = branchAt(context, index)
    context.next = index + 1
    context.atWork = context.atWork + 1
    const input: TurnInput = {
      runId,
      agent,
      path: fan.forEach === undefined ? `${path}/${segment}` : `${path}[${index}]/${segment}`,
      branch: branchName(context, index),
      state: stateOfBranch(context, index),
      iteration,
      prompt,
      history,
      memory: null,
      remember: false,
      at: context.at,
    }
    step.start(`branch.${index}`, src, input)
  }
}

/**
 * Returns whether all branches of the block have started, and all open branches wait for a person.
 */
const isPaused = (context: FanContext): boolean =>
  context.atWork === 0 && context.pausedBranches > 0 && context.next === branchCount(context)
