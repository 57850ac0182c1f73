import assert from "node:assert/strict"
import { AgentStatechartsError } from "../../src/errors.js"
import type { PendingRequest } from "../../src/machines/contract/pending-request.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import { hashOf } from "./hash.js"

/** An action of a person at some time during a run, requested or not. */
export interface Move {
  /** Milliseconds after the run began. */
  readonly after: number
  readonly what: "say" | "wrong id" | "wrong kind" | "no message" | "end" | "cancel"
}

const refusals = ["request_unknown", "request_expired", "input_refused", "run_finished"]

/** Performs an action on a run. Checks that a rejection is a typed error and does not change the run. */
export function attempt(controls: RunControls, act: () => void): string {
  const before = standing(controls)
  try {
    act()
    return "taken"
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    assert.ok(refusals.includes(error.code), `refused with ${error.code}: ${error.message}`)
    assert.deepEqual(standing(controls), before, `${error.code} changed the run`)
    return error.code
  }
}

const standing = (controls: RunControls): unknown => [controls.snapshot(), controls.pending()]

export function makeMove(controls: RunControls, { what }: Move): string {
  switch (what) {
    case "say":
      return attempt(controls, () => controls.say("by the way"))
    case "wrong id":
      return attempt(controls, () => controls.approve("nobody#0"))
    case "wrong kind": {
      const [request] = inOrder(controls.pending())
      return request === undefined
        ? attempt(controls, () => controls.deliver("c1", 1))
        : attempt(controls, () => answerWrongly(controls, request))
    }
    case "no message":
      return attempt(controls, () => controls.say([{ type: "song" }] as never))
    case "end":
      return attempt(controls, () => controls.end())
    case "cancel":
      return attempt(controls, () => controls.cancel())
  }
}

/** Sorts requests so that their order is the same in both interpreters. */
export const inOrder = (pending: readonly PendingRequest[]): readonly PendingRequest[] =>
  [...pending].sort((one, other) => (one.id < other.id ? -1 : 1))

function answerWrongly(controls: RunControls, { id, kind, choices }: PendingRequest): void {
  if (choices !== undefined) return controls.answer(id, "none of the choices")
  if (kind === "approval") return controls.answer(id, "yes")
  if (kind === "human" || kind === "auth") return controls.approve(id)
  return controls.reject(id, "no")
}

/** Answers a request, sometimes after a wrong answer. The answer depends only on the seed and the id of the request. */
export function answerRequest(
  controls: RunControls,
  request: PendingRequest,
  seed: number,
): readonly string[] {
  const { id, kind, toolCalls = [], choices = [] } = request
  const roll = hashOf(`${seed} answer ${id}`)
  const told: string[] = []
  if (roll % 5 === 0) told.push(attempt(controls, () => answerWrongly(controls, request)))
  const pick = (roll >>> 8) % 4
  told.push(
    attempt(controls, () => {
      switch (kind) {
        case "approval": {
          if (pick < 2) return controls.approve(id)
          if (pick === 2) return controls.reject(id, "not now")
          const edited = { request: "edited", "\u0000__proto__": 1 }
          return controls.approve(
            id,
            toolCalls.length === 0
              ? {}
              : { args: toolCalls.length === 1 ? edited : { [toolCalls[0]?.id ?? ""]: edited } },
          )
        }
        case "input":
          if (pick === 0) return controls.answer(id, "told")
          return controls.say(pick === 1 ? [{ text: "in parts" }] : "tell me", { request: id })
        case "tool":
          return controls.deliver(
            pick === 0 ? (toolCalls[0]?.id ?? id) : id,
            [null, { delivered: 1 }, "there", [1, { two: 2 }]][pick],
          )
        case "auth":
          return controls.answer(id, { secret: "key" })
        case "human": {
          const choice = choices[pick % Math.max(1, choices.length)]
          if (choice !== undefined)
            return controls.answer(id, pick === 0 ? choice : ` ${String(choice).toUpperCase()} `)
          return controls.answer(id, freeAnswers(request)[pick])
        }
      }
    }),
  )
  // An answer with a call id that several calls share is rejected.
  assert.ok(
    told.at(-1) !== "taken" || !controls.pending().some((open) => open.id === id),
    `the request ${id} is answered and still open`,
  )
  return told
}

/** Answers to a question without choices. A MachineAgent accepts the events that its request lists. */
function freeAnswers({ details, answerSchema }: PendingRequest): readonly unknown[] {
  const { events = [] } = (details ?? {}) as { readonly events?: readonly string[] }
  if (events.length > 0)
    return [0, 1, 2, 3].map((pick) => {
      const type = events[pick % events.length]
      return pick < 2 ? type : { type, by: "a person" }
    })
  return answerSchema === undefined
    ? ["yes", { amount: 1 }, null, 7]
    : ["yes", { amount: 1 }, { result: '{"n": 1}' }, { result: { n: 7 } }]
}

/** Returns after how many milliseconds a person answers a request. Null: not before the run waits for an answer. */
export function answersAfter({ id }: PendingRequest, seed: number): number | null {
  const roll = hashOf(`${seed} patience ${id}`)
  return roll % 2 === 0 ? null : 1 + (roll % 2_000) + hashOf(`${seed} moment ${id}`) / 2 ** 32
}
