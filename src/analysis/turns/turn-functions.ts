import type { RunEffect, Move, Variant } from "../behavior/behavior.js"
import { assumed, canDo, withFunctionResult, functionSequence } from "../behavior/function-steps.js"
import type { Turn, TurnControl } from "./turn.js"
import { finishNow } from "./turn-ends.js"

/**
 * Returns the steps in which several host functions of a turn run one after the other. Each
 * function can fail the turn. The callbacks in `mayAnswer` can end the turn with their own
 * response. `onwards` returns how the turn continues after all functions, and `answered` how it
 * continues after such a response.
 */
export const functions = (
  turn: Turn,
  names: readonly string[],
  mayAnswer: readonly string[],
  onwards: (effects: readonly RunEffect[]) => readonly Variant<TurnControl>[],
  answered: (effects: readonly RunEffect[]) => readonly Variant<TurnControl>[],
): readonly Move<TurnControl>[] => {
  let runs: readonly { readonly effects: readonly RunEffect[]; readonly does: string | null }[] = [
    { effects: [], does: null },
  ]
  const found: Move<TurnControl>[] = []
  for (const [index, service] of names.entries()) {
    runs = functionSequence(names.slice(0, index + 1), turn.agent, turn.location, turn.setting)
    const records = index + 1
    for (const { effects, does } of runs) {
      found.push({
        ...finishNow(turn, "failed", withFunctionResult(effects, { ends: "throws" })),
        records,
        does: does ?? `The function "${service}" throws.`,
        agent: turn.agent,
      })
      if (
        mayAnswer.includes(service) &&
        canDo(service, turn.setting, (declared) => declared.mayAnswer)
      )
        for (const variant of answered([
          ...withFunctionResult(effects, { ends: "answers" }),
          ...assumed(service, `answer in place of ${turn.agent}`, turn.setting),
        ]))
          found.push({
            ...variant,
            records,
            does: does ?? `The callback "${service}" answers in place of ${turn.agent}.`,
            agent: turn.agent,
          })
      if (canDo(service, turn.setting, (declared) => declared.mayEscalate))
        found.push({
          ...finishNow(turn, "escalated", [
            ...withFunctionResult(effects, { escalates: true }),
            ...assumed(service, "escalate", turn.setting),
          ]),
          records,
          does: does ?? `The callback "${service}" escalates.`,
          agent: turn.agent,
        })
    }
  }
  return [
    ...found,
    ...runs.flatMap(({ effects, does }) =>
      onwards(effects).map((variant) => ({
        ...variant,
        records: names.length,
        does,
        agent: turn.agent,
      })),
    ),
  ]
}
