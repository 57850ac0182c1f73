import { systemKey } from "../../machines/data/system-keys.js"
import { onExpiryOf } from "../../machines/requests/expiry.js"
import type { Act } from "../behavior/act.js"
import type { RunEffect, Move } from "../behavior/behavior.js"
import { prependEffects, occurrenceEffect, recordedMove } from "../behavior/behavior.js"
import type { Turn, TurnControl } from "./turn.js"
import { merge, namesOf, nothingDecided } from "./turn.js"
import { nextModelCallVariants } from "./model-call-start.js"
import { beginCalls, afterCallStep } from "./tool-call-steps.js"
import { finishNow } from "./turn-ends.js"

const expiryOf = ({ agent }: Turn): Act => ({ by: "clock", agent, ends: "request" })

/**
 * Returns the steps of the model checker in which a person approves or rejects a request, or the
 * request expires.
 */
export const approvalSteps = (turn: Turn, state: TurnControl): readonly Move<TurnControl>[] => {
  const chosen = state.calls.map(({ tool }) => tool)
  const request = (kind: "approval" | "rejection"): readonly RunEffect[] =>
    chosen.map((tool) =>
      occurrenceEffect({ kind, name: turn.tools[tool]?.name ?? "", ...turn.base }),
    )
  const fresh = { ...state, turnCalls: turn.exactTurns ? 0 : null }
  const about = chosen.length === 0 ? "" : ` ${namesOf(turn, chosen)}`
  const onExpiry = onExpiryOf("approval", turn.definition)
  const person = (does: "approve" | "reject"): Act => ({
    by: "person",
    agent: turn.agent,
    tool: null,
    does,
  })
  return [
    ...prependEffects(request("approval"), beginCalls(turn, fresh, chosen, null, true)).map(
      (variant) =>
        recordedMove(variant, person("approve"), turn.agent, `A person approves${about}.`),
    ),
    ...prependEffects(request("rejection"), nextModelCallVariants(turn, fresh.turnCalls, [])).map(
      (variant) => recordedMove(variant, person("reject"), turn.agent, `A person rejects${about}.`),
    ),
    ...(turn.definition.expiresInMs === null
      ? []
      : (onExpiry === "fail"
          ? [finishNow(turn, "failed")]
          : afterCallStep(turn, state, [], nothingDecided, [])
        ).map((variant) =>
          recordedMove(variant, expiryOf(turn), turn.agent, "The request for approval expires."),
        )),
  ]
}

export const userSteps = (turn: Turn, state: TurnControl): readonly Move<TurnControl>[] => {
  const messageEffects: readonly RunEffect[] = [
    { type: "userMessage" },
    occurrenceEffect({ kind: "answer", name: turn.agent, ...turn.base }),
    ...(turn.setting.keys.has(systemKey.userMessageCount)
      ? [
          {
            type: "write",
            key: systemKey.userMessageCount,
            value: { type: "any" },
            by: turn.base,
          } as const,
        ]
      : []),
  ]
  const onExpiry = onExpiryOf("input", turn.definition)
  const unanswered =
    onExpiry === "fail"
      ? [finishNow(turn, "failed")]
      : onExpiry === "continue"
        ? [finishNow(turn, "done")]
        : nextModelCallVariants(turn, state.turnCalls, [])
  return [
    ...nextModelCallVariants(turn, turn.exactTurns ? 0 : null, messageEffects).map((variant) =>
      recordedMove(
        variant,
        { by: "person", agent: turn.agent, tool: null, does: "answer" },
        turn.agent,
        "The user answers.",
      ),
    ),
    ...(turn.definition.expiresInMs === null
      ? []
      : unanswered.map((variant) =>
          recordedMove(variant, expiryOf(turn), turn.agent, "The request for input expires."),
        )),
  ]
}

export const callSteps = (turn: Turn, state: TurnControl): readonly Move<TurnControl>[] =>
  state.calls.flatMap((call, slot) =>
    turn.calls.steps(call, slot).flatMap((step) =>
      afterCallStep(
        turn,
        state,
        state.calls.map((one, index) => (index === slot ? step.call : one)),
        merge(state.outcome, step.outcome),
        step.effects,
      ).map((variant) => ({
        ...variant,
        records: step.records,
        does: step.does,
        agent: step.agent,
      })),
    ),
  )
