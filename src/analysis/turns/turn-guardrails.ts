import type { Guardrail } from "../../machines/contract/guardrails/guardrails.js"
import { policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import type { Move, RunEffect, Variant } from "../behavior/behavior.js"
import { occurrenceEffect } from "../behavior/behavior.js"
import { withFunctionResult, functionSequence, runsInOrder } from "../behavior/function-steps.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import type { GuardRuns, Turn, TurnControl, TurnGuards } from "./turn.js"
import { allows } from "./turn.js"
import {
  nextModelCallVariants,
  askFirstModel,
  callCountEffect,
  refusedCall,
} from "./model-call-start.js"
import { awaitUser, endTurn, finishNow } from "./turn-ends.js"
import type { LlmDefinition } from "./turn-tools.js"

/**
 * Returns the guardrails that check an agent's input and output texts, with their possible
 * executions. Returns null if the agent has no guardrails.
 */
export function guardsOf(
  agent: string,
  { guardrails }: LlmDefinition,
  location: NestedLocation,
  setting: Setting,
): TurnGuards | null {
  if (guardrails === undefined) return null
  const { before, beside, output } = guardrails
  const runsOf = (guardrail: Guardrail): GuardRuns => {
    const { name, service, onTrip } = guardrail
    const runs =
      service === undefined
        ? [{ effects: checkerCall(guardrail, location, setting), does: null }]
        : functionSequence([service], agent, location, setting)
    return { name, runs, calls: service === undefined, answers: onTrip === "answer" }
  }
  return {
    before: before.map(runsOf),
    besideCalls: beside.flatMap((guardrail) =>
      guardrail.service === undefined ? checkerCall(guardrail, location, setting) : [],
    ),
    later: [...beside.filter(({ service }) => service !== undefined), ...output].map(runsOf),
    repairs: output.some(({ onTrip }) => onTrip === "repair"),
  }
}

/**
 * Returns the effects of the model call that a guardrail agent makes to check a text. Returns an
 * empty list if the guardrail is a host function instead of an agent.
 */
function checkerCall(
  { checker = "" }: Guardrail,
  location: NestedLocation,
  { chart }: Setting,
): readonly RunEffect[] {
  const definition = chart.agents[checker]
  if (definition?.type !== "LlmAgent") return []
  const activity = { id: `${location.id}/${checker}`, agent: checker, tool: null }
  const [name = ""] = policyModelNamesOf(definition)
  const within = [...location.within, activity]
  return [
    callCountEffect("call"),
    occurrenceEffect({ kind: "model", name, agent: checker, within }),
  ]
}

/**
 * Returns the steps in which the guardrails before the model call run. The guardrails can end the
 * turn, answer in place of the model, or allow the model call.
 */
export function guardingSteps(turn: Turn, state: TurnControl): readonly Move<TurnControl>[] {
  const { guards, agent } = turn
  const before = guards?.before ?? []
  const found: Move<TurnControl>[] = []
  const add = (variants: readonly Variant<TurnControl>[], records: number, does: string): void =>
    void found.push(...variants.map((variant) => ({ ...variant, records, does, agent })))
  for (const [index, { name, calls, answers }] of before.entries()) {
    const records = index + 1
    for (const { effects } of sequence(before.slice(0, records))) {
      const thrown = calls ? effects : withFunctionResult(effects, { ends: "throws" })
      add([finishNow(turn, "failed", thrown)], records, `The guardrail "${name}" ends the turn.`)
      if (answers)
        add(
          guardrailAnswer(turn, effects),
          records,
          `The guardrail "${name}" answers in place of ${agent}.`,
        )
    }
    if (calls)
      for (const { effects } of sequence(before.slice(0, index)))
        add(refusedCall(turn, effects), index, `The guardrail "${name}" reaches a limit.`)
  }
  for (const { effects } of sequence(before))
    add(
      askFirstModel(turn, state.turnCalls, effects),
      before.length,
      `The input of ${agent} passes its guardrails.`,
    )
  return found
}

const sequence = (guards: readonly GuardRuns[]) => runsInOrder(guards.map(({ runs }) => runs))

/** Returns how a turn can continue after a guardrail has answered in place of the model. */
const guardrailAnswer = (
  turn: Turn,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] => [
  ...endTurn(turn, "done", effects),
  ...(turn.definition.byName?.endsRun === true ? endTurn(turn, "exited", effects) : []),
  ...(allows(turn, "waitForUserInput") ? awaitUser(turn, null, effects) : []),
]

/**
 * Adds the executions of guardrails to `moves`, the steps after a model call. These guardrails run
 * in parallel to the model call or after it. Any of them can be the last guardrail that runs.
 */
export function withGuardrails(
  turn: Turn,
  state: TurnControl,
  moves: readonly Move<TurnControl>[],
): readonly Move<TurnControl>[] {
  const { guards, agent } = turn
  if (guards === null || state.isContinued) return moves
  const { later, repairs } = guards
  const prefixes = later.map((_, index) => sequence(later.slice(0, index + 1))).flat()
  return [
    ...moves,
    ...prefixes.flatMap(({ effects }) => [
      ...moves.map((move) => ({ ...move, effects: [...effects, ...move.effects] })),
      ...(repairs
        ? guardrailRepair(turn, state, effects).map((variant) => ({
            ...variant,
            records: 1,
            does: `A guardrail rejects the text of ${agent}.`,
            agent,
          }))
        : []),
    ]),
    ...(later.some(({ calls }) => calls) || guards.besideCalls.length > 0
      ? refusedCall(turn, []).map((variant) => ({
          ...variant,
          records: 1,
          does: `A guardrail of ${agent} reaches a limit.`,
          agent,
        }))
      : []),
  ]
}

const guardrailRepair = (
  turn: Turn,
  { turnCalls }: TurnControl,
  effects: readonly RunEffect[],
): readonly Variant<TurnControl>[] => {
  const limit = finishNow(turn, "limited", effects)
  if (!turn.exactTurns) return [...nextModelCallVariants(turn, turnCalls, effects), limit]
  return (turnCalls ?? 0) >= turn.maxModelCallsPerTurn
    ? [limit]
    : nextModelCallVariants(turn, turnCalls, effects)
}
