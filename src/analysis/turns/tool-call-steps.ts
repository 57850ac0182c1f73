import type { RunEffect, Variant } from "../behavior/behavior.js"
import { nextVariant, occurrenceEffect } from "../behavior/behavior.js"
import type { CallOutcome, CallStep, CallState } from "./call-step.js"
import type { Continuation, Turn, TurnControl } from "./turn.js"
import { control, merge } from "./turn.js"
import { finishNow, endTurn, awaitUser } from "./turn-ends.js"
import { nextModelCallVariants } from "./model-call-start.js"

/**
 * Returns how a turn can continue after a step of its tool calls. `open` contains the states of the
 * calls after this step.
 */
export const afterCallStep = (
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
    return [
      nextVariant(control("calling", turnCalls, { calls: open, following, outcome }), effects),
    ]
  if (following === "exited") return endTurn(turn, "exited", effects)
  // The same response can contain further calls, even if the result of a call ends the turn.
  const rest =
    turn.combinesCalls && following === null && open.length > 0
      ? [nextVariant(control("asking", turnCalls, { isContinued: true, outcome }), effects)]
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
  if (!turn.exactTurns)
    return [...nextModelCallVariants(turn, turnCalls, effects), limit, ...further]
  return (turnCalls ?? 0) >= turn.maxModelCallsPerTurn
    ? [limit, ...further]
    : [...nextModelCallVariants(turn, turnCalls, effects), ...further]
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
    ? [
        occurrenceEffect({
          kind: "dropped",
          name: `${turn.location.id}#`,
          agent: turn.agent,
          within: [],
        }),
      ]
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
    afterCallStep(
      turn,
      { ...state, following },
      steps.map(({ call }) => call),
      steps.reduce((all, { outcome }) => merge(all, outcome), state.outcome),
      effects,
    ),
  )
}
