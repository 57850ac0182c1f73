import { reportPaused } from "../requests/report-paused.js"
import { outputOf, timeOf, doneIndexOf } from "../contract/machine-event.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { FailurePolicy } from "../contract/chart-machine.js"
import type { LinkedList } from "../contract/linked-list.js"
import { linksOf } from "../contract/linked-list.js"
import type { History } from "../contract/history.js"
import type { JoiningBranch } from "./join.js"
import { errorOfBranches, mergeError, mergeJoining, textOfBlock } from "./join.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import type { SessionState } from "../data/session-state.js"
import { forkState, patchOf } from "../data/session-state.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"

/** The branches of a fan, in the form in which the chart stores them. */
interface FanBranches {
  readonly branches: readonly {
    readonly agent: string
    readonly src: string
    readonly segment: string
  }[]
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /** "agent": `exitFlow` of a branch ends only its own turn. If absent, it ends the workflow. */
  readonly subAgentExitFlow?: "agent"
}

export type FanInput = TurnInput & { readonly fan: FanBranches }

interface FanContext {
  readonly input: FanInput
  readonly rules: AgentChart["settings"]["stateMerge"]
  at: number
  state: SessionState
  /** Index of the next branch to start. */
  next: number
  atWork: number
  pausedBranches: number
  results: LinkedList<Result> | null
  finished: number
  /** Outcome of the branch that ends the whole block; null if no branch has ended it. */
  ending: "limited" | "exited" | "failed" | "stopped" | null
  escalated: boolean
  failures: number
  paused: boolean
  text: string | null
  spoken: History
  escalates: boolean
  signal: Outcome | null
  error: RunError | null
}

interface Result {
  readonly index: number
  readonly output: TurnOutput
}

const locationOf = ({ agent, path, branch }: TurnInput) => ({ agent, path, branch })

const branchName = ({ input }: FanContext, index: number): string =>
  `${input.branch === null ? "" : `${input.branch}.`}${input.agent}.${index}`

export const fanKind: MachineKind<FanContext, FanInput, TurnOutput> = {
  contextFrom: (input, chart) => ({
    input,
    rules: chart.settings.stateMerge,
    at: input.at,
    state: forkState(input.state),
    next: 0,
    atWork: 0,
    pausedBranches: 0,
    results: null,
    finished: 0,
    ending: null,
    escalated: false,
    failures: 0,
    paused: false,
    text: null,
    spoken: [],
    escalates: false,
    signal: null,
    error: null,
  }),

  guards: {
    branchLimited: (context) => context.ending === "limited",
    branchExited: (context) => context.ending === "exited",
    branchFailsFast: (context) => context.ending === "failed",
    branchesFinished: (context) => context.finished === context.input.fan.branches.length,
    joinFailed: (context) => context.error !== null,
    someBranchFailed: (context) =>
      context.failures > 0 && context.input.fan.failurePolicy === "wait-all",
    someBranchEscalated: (context) => context.escalated,
  },

  updates: {
    startFan: (context, _event, _params, step) => {
      step.emit({ type: "agent.started", kind: "ParallelAgent", ...locationOf(context.input) })
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
      if (output.signal === "failed") {
        context.failures = context.failures + 1
        if (context.input.fan.failurePolicy === "fail-fast") context.ending ??= "failed"
      }
      if (context.ending !== null && output.error !== null) {
        const named = context.ending === "failed" ? ` (branch ${branchName(context, index)})` : ""
        context.error ??= { ...output.error, message: `${output.error.message}${named}` }
      }
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
    reportFailedBranches: (context) => {
      const failed = inOrder(context).flatMap(({ index, output: { signal, error } }) =>
        signal === "failed" && error !== null
          ? [{ agent: context.input.fan.branches[index]?.agent ?? "", error }]
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
        ...locationOf(context.input),
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
    spoken: context.spoken,
    escalates: context.escalates,
    at: context.at,
  }),

  pending: () => [],
}

/**
 * Applies the outcome of a branch to the block. In the adk dialect, an escalation ends the
 * enclosing loops, and the outcome of the block itself is `done`.
 */
function noteEnd(
  context: FanContext,
  { signal, escalates }: TurnOutput,
  { chart: { dialect } }: Step,
): void {
  const exits = signal === "exited" && context.input.fan.subAgentExitFlow !== "agent"
  if (signal === "limited" || exits) context.ending ??= signal
  if (signal === "escalated" && dialect !== "adk") context.escalated = true
  if (escalates || (signal === "escalated" && dialect === "adk")) context.escalates = true
}

/**
 * Starts further branches in declaration order, up to `maxConcurrency` running branches. A branch
 * that waits for a person does not count.
 */
function startBranches(context: FanContext, step: Step): void {
  const { fan, runId, path, state: snapshot, iteration, prompt, history } = context.input
  const room = fan.maxConcurrency ?? fan.branches.length
  while (context.ending === null && context.atWork < room && context.next < fan.branches.length) {
    const index = context.next
    const { agent, src, segment } = fan.branches[index] as FanBranches["branches"][number]
    context.next = index + 1
    context.atWork = context.atWork + 1
    const input: TurnInput = {
      runId,
      agent,
      path: `${path}/${segment}`,
      branch: branchName(context, index),
      state: snapshot,
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

const inOrder = ({ results }: FanContext): readonly Result[] =>
  linksOf(results).toSorted((one, other) => one.index - other.index)

/** Merges the finished branches in declaration order and discards the other branches. */
function joinFan(context: FanContext, step: Step): void {
  const { fan, agent } = context.input
  const results = inOrder(context)
  const joining = results.map(({ index, output }): JoiningBranch => ({
    name: branchName(context, index),
    agent: fan.branches[index]?.agent ?? "",
    patch: output.patch,
    lastText: output.lastText,
    spoken: output.spoken,
    failed: output.signal === "failed",
    error: output.error,
  }))
  const arrived = new Set(results.map(({ index }) => index))
  const dropped = fan.branches.flatMap((_, index) =>
    arrived.has(index) ? [] : [branchName(context, index)],
  )
  const merged = mergeJoining(
    context.state,
    joining,
    context.rules,
    fan.failurePolicy === "collect",
  )
  step.emit({
    type: "parallel.joined",
    merged: joining.map(({ name }) => name),
    dropped,
    ...locationOf(context.input),
  })
  if (!merged.ok) {
    context.error = mergeError(agent, merged.message)
    return
  }
  context.state = merged.state
  context.text = textOfBlock(joining)
  context.spoken = joining.flatMap(({ spoken }) => spoken)
}

/** Returns whether all branches have started and every running branch waits for a person. */
const isPaused = ({ atWork, pausedBranches, next, input }: FanContext): boolean =>
  atWork === 0 && pausedBranches > 0 && next === input.fan.branches.length
