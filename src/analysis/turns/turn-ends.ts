import type { Outcome } from "../../machines/contract/run-event.js"
import type { RunEffect, Variant, WrittenValue } from "../behavior/behavior.js"
import { endVariant, endWith, nextVariant, occurrenceEffect } from "../behavior/behavior.js"
import type { Turn, TurnControl } from "./turn.js"
import { control } from "./turn.js"

const finish = (turn: Turn, outcome: Outcome): RunEffect =>
  occurrenceEffect({
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
): Variant<TurnControl> => endVariant(endWith(signal, other), [...effects, finish(turn, signal)])

export const outputKeyWrites = (turn: Turn, value: WrittenValue): readonly RunEffect[] =>
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
  const texts = outputKeyWrites(turn, turn.textValue).length > 0 ? [true, false] : [false]
  return texts.map((writes) =>
    turn.late.length > 0
      ? nextVariant(control("after", null, { ending: { signal, writes, answered } }), effects)
      : finishNow(
          turn,
          signal,
          [...effects, ...(writes ? outputKeyWrites(turn, turn.textValue) : [])],
          {
            answeredByTool: answered,
          },
        ),
  )
}

export const awaitUser = (
  turn: Turn,
  turnCalls: number | null,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] =>
  [
    ...(outputKeyWrites(turn, turn.textValue).length > 0
      ? [outputKeyWrites(turn, turn.textValue)]
      : []),
    [],
  ].map((written) => nextVariant(control("user", turnCalls), [...effects, ...written]))
