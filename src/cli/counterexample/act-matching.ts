import { otherCall } from "../../analysis/behavior/act.js"
import type { Act, ScriptedAct } from "../../analysis/index.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { Waiting } from "./directed-services.js"

/**
 * Returns whether a step of a counterexample is an answer to the unanswered call `one`. For
 * example, a model response answers a model call of the same agent.
 */
export function actAnswers(act: Act, one: Waiting): boolean {
  switch (act.by) {
    case "model":
      return one.kind === "model" && one.agent === act.agent
    case "tool":
      return (
        (one.kind === "tool" || one.kind === "listed") &&
        one.agent === act.agent &&
        one.tool === act.tool
      )
    case "function":
      if (one.kind !== "function") return false
      if (act.ends === "judges") return one.hook === "policy" && one.tool === act.tool
      return (
        one.id === act.service && (act.tool === null || one.tool === null || one.tool === act.tool)
      )
    default:
      return false
  }
}

/**
 * Returns the default response of a model, for calls that are not part of the counterexample. If
 * `waits` is true, the agent waits for the user instead of ending its turn.
 */
export const usualResponse = (agent: string, waits = false): ScriptedAct => ({
  act: {
    by: "model",
    agent,
    calls: [],
    asks: waits ? "waitForUserInput" : null,
    transfersTo: null,
    fails: false,
  },
  starts: [],
  writes: {},
})

/**
 * Returns a scripted model response that calls a tool that does not exist. Afterwards, the agent
 * calls the model again.
 */
export const repeatingResponse = (agent: string): ScriptedAct => ({
  act: { by: "model", agent, calls: [otherCall], asks: null, transfersTo: null, fails: false },
  starts: [],
  writes: {},
})

/**
 * Returns whether the step `act` of a person in a counterexample is an answer to the pending
 * request.
 */
export function isAbout(
  { kind, agent, toolCalls = [] }: PendingRequest,
  act: Extract<Act, { by: "person" }>,
): boolean {
  if (agent !== act.agent) return false
  switch (act.does) {
    case "approve":
    case "reject":
      return (
        kind === "approval" &&
        (act.tool === null || toolCalls.some(({ name }) => name === act.tool))
      )
    case "deliver":
      return kind === "tool"
    case "answer":
      return kind === "human" || kind === "input"
    default:
      return false
  }
}

/**
 * Returns whether a step of a counterexample is a host function that returns normally without
 * effects. Stubs of host functions behave in the same way by default.
 */
export const isPlain = ({ act }: ScriptedAct): boolean =>
  act.by === "function" &&
  act.ends === "returns" &&
  act.value === null &&
  act.writes.length === 0 &&
  !act.escalates &&
  !act.skipsSummarization &&
  !act.changesArguments &&
  act.transfersTo === null
