import type { RunEffect, Variant } from "../behavior/behavior.js"
import { nextVariant } from "../behavior/behavior.js"
import type { Turn, TurnControl } from "./turn.js"
import { control } from "./turn.js"
import { finishNow, endTurn } from "./turn-ends.js"

export const callCountEffect = (is: "call" | "limit"): RunEffect => ({ type: "meter", is })

/**
 * Returns how an LlmAgent's turn can continue before its next model call. The call is made, a limit
 * rejects it, a person is asked to raise the budget, or a message replaces the response.
 */
export const nextModelCallVariants = (
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
 * the agent has none. `count` is the number of the model call in the turn.
 */
export const guardInput = (
  { guards }: Turn,
  count: number | null,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] =>
  guards === null || guards.before.length === 0
    ? []
    : [nextVariant(control("guarding", count), effects)]

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
      ...(turn.asksBudget ? [nextVariant(control("budget", count), before)] : []),
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
            ...(turn.asksBudget
              ? [nextVariant(control("budget", count, { modelIndex }), before)]
              : []),
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
      ? [
          nextVariant(control("preparing", count, { modelIndex }), before),
          ...refusedCall(turn, before),
        ]
      : makeCall(turn, count, modelIndex, before)
  const { summaryOccurrence: summary } = turn
  return summary === null || modelIndex > 0
    ? begin(effects)
    : [...begin(effects), ...begin([...effects, callCountEffect("call"), summary])]
}

/** Returns how a turn continues if a model call is made or is rejected by `maxModelCalls`. */
export const makeCall = (
  turn: Turn,
  count: number | null,
  modelIndex: number,
  before: readonly RunEffect[],
): readonly Variant<TurnControl>[] => [
  ...startsOfCall(turn, [
    callCountEffect("call"),
    ...turn.modelOccurrences.slice(modelIndex, modelIndex + 1),
  ]).map((effects) =>
    nextVariant(control("asking", count, { modelIndex }), [...before, ...effects]),
  ),
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
      nextVariant(control("asking", count, { modelIndex }), effects),
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
    ? [finishNow(turn, "limited", [...before, callCountEffect("limit")])]
    : []
