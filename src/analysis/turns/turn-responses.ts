import type { FailureClass } from "../../machines/contract/activity.js"
import { failureClasses } from "../../machines/contract/activity.js"
import { alternativeNameAt } from "../../machines/model-call/agent-models.js"
import { nextModelFor } from "../../machines/model-call/fallback.js"
import type { Act, ModelAct } from "../behavior/act.js"
import { otherCall } from "../behavior/act.js"
import type { Move, Variant } from "../behavior/behavior.js"
import { nextVariant, recordedMove } from "../behavior/behavior.js"
import type { CallState } from "./call-step.js"
import type { Continuation, Turn, TurnControl } from "./turn.js"
import { allows, control, namesOf, nothingDecided, toolNames } from "./turn.js"
import { askModel } from "./model-call-start.js"
import { beginCalls, afterCallStep } from "./tool-call-steps.js"
import { awaitUser, endTurn, finishNow } from "./turn-ends.js"

/**
 * Returns how a turn can continue after the tool calls of a response. The model is called again,
 * the turn ends, the agent waits for the user, or the conversation goes to another agent.
 * `description` is added to a sentence about the response, for example `, with exitFlow`.
 */
const continuations = (
  turn: Turn,
): readonly { readonly continuation: Continuation; readonly description: string }[] => [
  { continuation: null, description: "" },
  ...(allows(turn, "exitFlow")
    ? [{ continuation: "exited" as const, description: ", with exitFlow" }]
    : []),
  ...(allows(turn, "escalate")
    ? [{ continuation: "escalated" as const, description: ", with escalate" }]
    : []),
  ...(allows(turn, "waitForUserInput")
    ? [{ continuation: "user" as const, description: ", and waits for the user" }]
    : []),
  ...turn.definition.transferTargets.map((target) => ({
    continuation: { transfersTo: target },
    description: `, and transfers to ${target}`,
  })),
]

export const responses = (turn: Turn, state: TurnControl): readonly Move<TurnControl>[] => {
  const recordAll = (
    variants: readonly Variant<TurnControl>[],
    act: Act,
    does: string,
  ): readonly Move<TurnControl>[] =>
    variants.map((variant) => recordedMove(variant, act, turn.agent, does))
  if (state.isContinued) return furtherCalls(turn, state)
  const mayBeFinal =
    turn.definition.byName?.endsRun !== true ||
    allows(turn, "exitFlow") ||
    allows(turn, "escalate") ||
    allows(turn, "waitForUserInput")
  return [
    ...(mayBeFinal
      ? recordAll(endTurn(turn, "done", []), response(turn), `${turn.agent} answers.`)
      : []),
    ...(turn.definition.byName?.endsRun === true
      ? recordAll(
          endTurn(turn, "exited", []),
          // A service that declares signals has to ask for the end of the run.
          response(turn, turn.setting.signals.size > 0 ? { asks: "exitFlow" } : {}),
          `${turn.agent} answers, which ends the run.`,
        )
      : []),
    ...continuations(turn).flatMap(({ continuation: following, description }) =>
      turn.choices.flatMap((chosen) =>
        chosen.length === 0 && following === null
          ? // A call of a tool that does not matter, or that does not exist.
            recordAll(
              afterCallStep(turn, state, [], nothingDecided, []),
              response(turn, { calls: [otherCall] }),
              `${turn.agent} calls something else.`,
            )
          : recordAll(
              chosen.length === 0
                ? endWithout(turn, state, following)
                : beginCalls(turn, state, chosen, following, false),
              response(turn, { calls: toolNames(turn, chosen), ...askOf(following) }),
              `${turn.agent} ${chosen.length === 0 ? "answers" : `calls ${namesOf(turn, chosen)}`}${description}.`,
            ),
      ),
    ),
    ...(allows(turn, "hitlRequest")
      ? turn.choices.map((chosen) =>
          recordedMove(
            nextVariant(control("approving", state.turnCalls, { calls: proposedCalls(chosen) })),
            response(turn, { calls: toolNames(turn, chosen), asks: "hitlRequest" }),
            turn.agent,
            `${turn.agent} asks a person for approval${chosen.length === 0 ? "" : ` of ${namesOf(turn, chosen)}`}.`,
          ),
        )
      : []),
    ...fallbacks(turn, state),
    ...recordAll(
      [finishNow(turn, "failed")],
      response(turn, { fails: true }),
      `The model of ${turn.agent} fails.`,
    ),
  ]
}

/**
 * Returns the steps in which the called model fails and a fallback model of the agent is called
 * next.
 */
const fallbacks = (
  turn: Turn,
  { turnCalls, modelIndex }: TurnControl,
): readonly Move<TurnControl>[] => {
  const classes = new Map<number, FailureClass>()
  for (const failure of easiestFirst) {
    const next = nextModelFor(turn.definition, modelIndex, failure)
    if (next !== null && !classes.has(next)) classes.set(next, failure)
  }
  return [...classes].flatMap(([next, failure]) =>
    askModel(turn, turnCalls, [], [next]).map((variant) =>
      recordedMove(
        variant,
        response(turn, { fails: true, failure }),
        turn.agent,
        `The model of ${turn.agent} fails (${failure}), and ${alternativeNameAt(turn.definition, next) ?? "another model"} is called.`,
      ),
    ),
  )
}

/** The difficulty with which a test scenario reproduces a class of model failures. */
const difficulty: Readonly<Record<FailureClass, number>> = {
  unavailable: 1,
  rate_limited: 2,
  timeout: 3,
  refused: 4,
  malformed: 5,
  context_too_long: 6,
}

/** The classes of model failures, starting with the easiest to reproduce in a test scenario. */
const easiestFirst = failureClasses.toSorted((one, other) => difficulty[one] - difficulty[other])

/**
 * Returns the steps in which the current model response contains more tool calls. The model checker
 * explores the calls of one response in several groups.
 */
const furtherCalls = (turn: Turn, state: TurnControl): readonly Move<TurnControl>[] =>
  continuations(turn).flatMap(({ continuation: following, description }) =>
    turn.choices
      .filter(({ length }) => length > 0)
      .flatMap((chosen) =>
        beginCalls(turn, state, chosen, following, false).map((variant) => ({
          ...recordedMove(
            variant,
            response(turn, {
              calls: toolNames(turn, chosen),
              ...askOf(following),
              isContinued: true,
            }),
            turn.agent,
            `The same response calls ${namesOf(turn, chosen)}${description}.`,
          ),
          records: 0,
        })),
      ),
  )

const response = ({ agent }: Turn, other: Partial<ModelAct> = {}): ModelAct => ({
  by: "model",
  agent,
  calls: [],
  asks: null,
  transfersTo: null,
  fails: false,
  ...other,
})

const askOf = (following: Continuation): Partial<ModelAct> => {
  switch (following) {
    case null:
      return {}
    case "exited":
      return { asks: "exitFlow" }
    case "escalated":
      return { asks: "escalate" }
    case "user":
      return { asks: "waitForUserInput" }
    default:
      return { transfersTo: following.transfersTo }
  }
}

const endWithout = (
  turn: Turn,
  state: TurnControl,
  following: Continuation,
): readonly Variant<TurnControl>[] =>
  following === "exited" || following === "escalated"
    ? endTurn(turn, following, [])
    : following === "user"
      ? awaitUser(turn, state.turnCalls, [])
      : afterCallStep(turn, { ...state, following }, [], nothingDecided, [])

const proposedCalls = (chosen: readonly number[]): readonly CallState[] =>
  chosen.map((tool) => ({
    tool,
    stage: "judged",
    approved: false,
    made: false,
    inner: null,
    result: null,
  }))
