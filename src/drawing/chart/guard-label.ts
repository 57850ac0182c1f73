import type { ChartTransition } from "../../machines/contract/chart-machine.js"

export const handoffLabel = "hands off"

/**
 * Returns the label of a transition, which describes its guard in words, such as `exits`. Returns
 * null if the transition needs no label. `alternatives` is true if the source state has other
 * outgoing transitions, so that a transition without a guard is labeled `otherwise`.
 */
export function guardLabel(
  { guard, actions = [] }: ChartTransition,
  alternatives: boolean,
): string | null {
  if (guard === undefined) {
    const again = actions.find(({ type }) => type === "nextIteration" || type === "beginCycle")
    if (actions.some(({ type }) => type === "beginInvocation")) return "the user says more"
    return again === undefined ? (alternatives ? "otherwise" : null) : "again"
  }
  const { type, params = {} } = guard
  const text = (name: string): string => {
    const value = params[name]
    return typeof value === "string" ? value : String(value)
  }
  switch (type) {
    case "callbackThrew":
      return "a callback throws"
    case "callbackAnswered":
      return "a callback answers"
    case "completed":
      return null
    case "exited":
      return "exits"
    case "escalated":
      return "escalates"
    case "limited":
      return "hits a limit"
    case "exitConditionHolds":
      return `exit when ${text("condition")}`
    case "conditionHolds":
      return `when ${text("condition")}`
    case "conditionFails":
      return "the condition cannot be evaluated"
    case "maximumReached":
      return count(params["max"], "iteration")
    case "runsAgent":
      return "runs it"
    case "hostReturned":
      return "the code returns"
    case "loopEscalated":
      return "escalates"
    case "handsOffTo":
      return handoffLabel
    case "handoffLimitReached":
      return count(params["max"], "handoff")
    case "activeIs":
      return "has the conversation"
    case "wasAnsweredByTool":
      return "a tool has answered"
    case "cycleLimitReached":
      return count(params["max"], "cycle")
    case "mergeFails":
      return "the branches cannot be merged"
    case "branchFailed":
      return "a branch has failed"
    case "branchEscalated":
      return "a branch has escalated"
    default:
      // Only an edited chart contains unknown guards. The name of the guard is split into words.
      return type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  }
}

const count = (max: unknown, what: string): string =>
  `after ${String(max)} ${what}${max === 1 ? "" : "s"}`
