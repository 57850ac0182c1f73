import type { Outcome } from "../../machines/contract/run-event.js"
import type { RunEffect, Variant, WrittenValue } from "../behavior/behavior.js"
import { ended, endWith, goesTo, occurs } from "../behavior/behavior.js"
import type { CallOutcome, CallStep, CallState } from "./call-step.js"
import type { Continuation, Turn, TurnControl } from "./turn.js"
import { control, merge } from "./turn.js"

export const meter = (is: "call" | "limit"): RunEffect => ({ type: "meter", is })

/**
 * Returns how an LlmAgent's turn can continue before its next model call. The call is made, a limit
 * rejects it, a person is asked to raise the budget, or a message replaces the response.
 */
export const ask = (
  turn: Turn,
  turnCalls: number | null,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] => {
  // An expired request does not reset the count, so a turn can exceed its maximum. Higher counts
  // have the same future.
  const count = turn.exactTurns ? Math.min((turnCalls ?? 0) + 1, turn.maxModelCallsPerTurn) : null
  return [...askFirstModel(turn, count, effects), ...guardInput(turn, count, effects)]
}

/**
 * Starts the guardrails that check the input before the model is called. Returns an empty list if
 * there are no such guardrails. `count` is the number of the model call in the turn.
 */
export const guardInput = (
  { guards }: Turn,
  count: number | null,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] =>
  guards === null || guards.before.length === 0 ? [] : [goesTo(control("guarding", count), effects)]

/**
 * Returns how a turn can continue with a call of one of its first models. Conditions select the
 * model. If one of these conditions fails with an error, no model is called.
 */
export const askFirstModel = (
  turn: Turn,
  count: number | null,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] => [
  ...askModel(turn, count, effects, turn.firstModels),
  ...((count ?? 0) > turn.setting.highestCount ? [] : turn.routeFailures).flatMap((failure) => {
    const before = [...effects, ...failure]
    return [
      finishNow(turn, "failed", before),
      ...refusedCall(turn, before),
      ...(turn.failsInCall ? callModel(turn, count, 0, before) : []),
      ...(turn.asksBudget ? [goesTo(control("budget", count), before)] : []),
    ]
  }),
]

/**
 * Returns how a turn can continue with a call of one of the models in `models`. `count` is the
 * number of the call in the turn. For a fallback model, `count` does not increase, because the call
 * replaces the failed call.
 */
export const askModel = (
  turn: Turn,
  count: number | null,
  effects: readonly RunEffect[],
  models: readonly number[],
): readonly Variant<TurnControl>[] =>
  (count ?? 0) > turn.setting.highestCount
    ? []
    : [
        ...models.flatMap((modelIndex) => {
          const before = [...effects, ...(turn.routeResults.get(modelIndex) ?? [])]
          return [
            ...callModel(turn, count, modelIndex, before),
            ...(turn.asksBudget ? [goesTo(control("budget", count, { modelIndex }), before)] : []),
          ]
        }),
        ...(turn.mayPassLimit ? [finishNow(turn, "limited", effects)] : []),
        ...turn.messageEnds.flatMap(({ signal, effects: check }) =>
          endTurn(turn, signal, [...effects, ...check]),
        ),
      ]

/**
 * Returns how a turn can continue if the budget allows a model call. The call is made, or
 * `maxModelCalls` rejects it. With `compaction`, the conversation may be summarized before the
 * call.
 */
export const callModel = (
  turn: Turn,
  count: number | null,
  modelIndex: number,
  effects: readonly RunEffect[] = [],
): readonly Variant<TurnControl>[] => {
  const begin = (before: readonly RunEffect[]): readonly Variant<TurnControl>[] =>
    turn.preparesCalls
      ? [goesTo(control("preparing", count, { modelIndex }), before), ...refusedCall(turn, before)]
      : makeCall(turn, count, modelIndex, before)
  const { summaryOccurrence: summary } = turn
  return summary === null || modelIndex > 0
    ? begin(effects)
    : [...begin(effects), ...begin([...effects, meter("call"), summary])]
}

/** Returns how a turn continues if a model call is made or is rejected by `maxModelCalls`. */
export const makeCall = (
  turn: Turn,
  count: number | null,
  modelIndex: number,
  before: readonly RunEffect[],
): readonly Variant<TurnControl>[] => [
  ...startsOfCall(turn, [
    meter("call"),
    ...turn.modelOccurrences.slice(modelIndex, modelIndex + 1),
  ]).map((effects) => goesTo(control("asking", count, { modelIndex }), [...before, ...effects])),
  ...refusedCall(turn, before),
]

/**
 * Returns how a turn can continue if a condition that selects the model has failed, so that no
 * model is called. The turn fails, or a callback or a guardrail replaces the failure.
 */
export const failRoute = (
  turn: Turn,
  count: number | null,
  modelIndex: number,
  before: readonly RunEffect[],
): readonly Variant<TurnControl>[] =>
  startsOfCall(turn, []).flatMap((started) => {
    const effects = [...before, ...started]
    return [
      finishNow(turn, "failed", effects),
      goesTo(control("asking", count, { modelIndex }), effects),
    ]
  })

/** Returns the possible start orders of a model call and the model calls of parallel guardrails. */
const startsOfCall = (
  { guards }: Turn,
  call: readonly RunEffect[],
): readonly (readonly RunEffect[])[] => {
  const beside = guards?.besideCalls ?? []
  return beside.length === 0 ? [call] : [call, [...call, ...beside], [...beside, ...call]]
}

/** Ends a turn because `maxModelCalls` rejects a call. Returns `[]` if such runs are skipped. */
export const refusedCall = (
  turn: Turn,
  before: readonly RunEffect[],
): readonly Variant<TurnControl>[] =>
  turn.setting.highestCount === Infinity
    ? [finishNow(turn, "limited", [...before, meter("limit")])]
    : []

const finish = (turn: Turn, outcome: Outcome): RunEffect =>
  occurs({
    kind: "finish",
    name: turn.agent,
    ...turn.base,
    outcome,
    ...(turn.self !== undefined && { activity: turn.self }),
  })

export const finishNow = (
  turn: Turn,
  signal: Outcome,
  effects: readonly RunEffect[] = [],
  other: { readonly handoffTo?: string; readonly answeredByTool?: boolean } = {},
): Variant<TurnControl> => ended(endWith(signal, other), [...effects, finish(turn, signal)])

export const write = (turn: Turn, value: WrittenValue): readonly RunEffect[] =>
  turn.definition.outputKey !== null && turn.setting.keys.has(turn.definition.outputKey)
    ? [{ type: "write", key: turn.definition.outputKey, value, by: turn.base }]
    : []

/**
 * Ends a turn. Returns one continuation with and one without an output text, if both are possible.
 * If callbacks run after the turn, it continues with these callbacks.
 */
export const endTurn = (
  turn: Turn,
  signal: "done" | "exited" | "escalated",
  effects: readonly RunEffect[],
  answered = false,
): readonly Variant<TurnControl>[] => {
  const texts = write(turn, turn.textValue).length > 0 ? [true, false] : [false]
  return texts.map((writes) =>
    turn.late.length > 0
      ? goesTo(control("after", null, { ending: { signal, writes, answered } }), effects)
      : finishNow(turn, signal, [...effects, ...(writes ? write(turn, turn.textValue) : [])], {
          answeredByTool: answered,
        }),
  )
}

export const awaitUser = (
  turn: Turn,
  turnCalls: number | null,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] =>
  [...(write(turn, turn.textValue).length > 0 ? [write(turn, turn.textValue)] : []), []].map(
    (written) => goesTo(control("user", turnCalls), [...effects, ...written]),
  )

/**
 * Returns how a turn can continue after a step of its tool calls. `open` contains the states of the
 * calls after this step.
 */
export const settle = (
  turn: Turn,
  { turnCalls, following, calls: before }: TurnControl,
  open: readonly CallState[],
  outcome: CallOutcome,
  given: readonly RunEffect[],
): readonly Variant<TurnControl>[] => {
  const drop = dropCalls(turn, open)
  const isOver = outcome.failed || outcome.limited
  const effects = whileTargetsRun(turn, before, isOver ? [] : open, given)
  if (outcome.failed) return [finishNow(turn, "failed", [...effects, ...drop])]
  if (outcome.limited) return [finishNow(turn, "limited", [...effects, ...drop])]
  if (open.some(({ stage }) => stage !== "done"))
    return [goesTo(control("calling", turnCalls, { calls: open, following, outcome }), effects)]
  if (following === "exited") return endTurn(turn, "exited", effects)
  // The same response can contain further calls, even if the result of a call ends the turn.
  const rest =
    turn.combinesCalls && following === null && open.length > 0
      ? [goesTo(control("asking", turnCalls, { isContinued: true, outcome }), effects)]
      : []
  if (outcome.escalates || following === "escalated")
    return [...endTurn(turn, "escalated", effects), ...rest]
  const target =
    outcome.transfersTo ?? (typeof following === "object" ? (following?.transfersTo ?? null) : null)
  if (target !== null)
    return [finishNow(turn, "handedOff", effects, { handoffTo: target }), ...rest]
  if (outcome.answered) return [...endTurn(turn, "done", effects, true), ...rest]
  if (following === "user") return awaitUser(turn, turnCalls, effects)
  const limit = finishNow(turn, "limited", effects)
  // Without exact counters, a further response stands for further calls of this response.
  const further = turn.setting.continuesResponses ? rest : []
  if (!turn.exactTurns) return [...ask(turn, turnCalls, effects), limit, ...further]
  return (turnCalls ?? 0) >= turn.maxModelCallsPerTurn
    ? [limit, ...further]
    : [...ask(turn, turnCalls, effects), ...further]
}

/**
 * Makes the session state keys that AgentTools can change unknown while their agents run. Adds the
 * effect `hide` when the first of these agents starts, and `release` when the last of them ends.
 */
function whileTargetsRun(
  { hiddenKeys: keys }: Turn,
  before: readonly CallState[],
  after: readonly CallState[],
  effects: readonly RunEffect[],
): readonly RunEffect[] {
  const isRunning = (calls: readonly CallState[]): boolean =>
    calls.some(({ inner }) => inner !== null)
  const [wasRunning, runs] = [isRunning(before), isRunning(after)]
  if (keys.length === 0 || wasRunning === runs) return effects
  return runs ? [{ type: "hide", keys }, ...effects] : [...effects, { type: "release", keys }]
}

/** Returns the effects that end the tool calls that are still running when the turn ends. */
export const dropCalls = (turn: Turn, open: readonly CallState[]): readonly RunEffect[] =>
  open.some(({ stage }) => stage !== "done")
    ? [occurs({ kind: "dropped", name: `${turn.location.id}#`, agent: turn.agent, within: [] })]
    : []

/**
 * Starts the tool calls of a model response, and returns how the turn can continue. `chosen`
 * contains the indexes of the called tools.
 */
export const beginCalls = (
  turn: Turn,
  state: TurnControl,
  chosen: readonly number[],
  following: Continuation,
  approved: boolean,
): readonly Variant<TurnControl>[] => {
  let combinations: readonly {
    readonly effects: readonly RunEffect[]
    readonly steps: readonly CallStep[]
  }[] = [{ effects: [], steps: [] }]
  for (const [slot, tool] of chosen.entries())
    combinations = combinations.flatMap(({ effects, steps }) =>
      turn.calls.begin(tool, slot, approved).map((step) => ({
        effects: [...effects, ...step.effects],
        steps: [...steps, step],
      })),
    )
  return combinations.flatMap(({ effects, steps }) =>
    settle(
      turn,
      { ...state, following },
      steps.map(({ call }) => call),
      steps.reduce((all, { outcome }) => merge(all, outcome), state.outcome),
      effects,
    ),
  )
}
