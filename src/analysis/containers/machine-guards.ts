import type {
  ChartTransition,
  NamedGuard,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { End } from "../behavior/behavior.js"
import { callbackAnswer } from "./leaf-behaviors.js"
import type { Flags } from "./machine-flags.js"
import { isExact } from "./machine-flags.js"
import type { Setting } from "../behavior/setting.js"

/**
 * Returns the transitions that a machine can take. As in XState, the first transition whose guard
 * is true is taken. A guard with an unknown result counts as both true and false, so several
 * transitions are possible.
 */
export function chooseTransitions(
  transitions: Transitions,
  flags: Flags,
  end: End,
  setting: Setting,
): readonly ChartTransition[] {
  const chosen: ChartTransition[] = []
  for (const transition of transitions) {
    const answer = transition.guard === undefined || answerOf(transition.guard, flags, end, setting)
    if (answer !== false) chosen.push(transition)
    if (answer === true) return chosen
  }
  return chosen
}

type Answer = boolean | null

/** Returns the result of a guard, or null if the model checker does not know the result. */
function answerOf(
  { type, params = {} }: NamedGuard,
  flags: Flags,
  end: End,
  setting: Setting,
): Answer {
  const text = (name: string): string => String(params[name])
  switch (type) {
    case "runsAgent":
      return end.runs === text("agent")
    case "hostReturned":
      return end.signal === "done" && end.runs === null
    case "hostStopped":
    case "stopped":
      return false
    case "completed":
      return end.signal === "done"
    case "exited":
    case "escalated":
    case "failed":
    case "limited":
      return end.signal === type
    case "answeredByTool":
      return end.answeredByTool
    case "handsOffTo":
      return end.signal === "handedOff" && end.handoffTo === text("agent")
    case "handoffLimitReached":
      if (end.signal !== "handedOff") return false
      return counted(flags[`handoffs ${text("team")}`], Number(params["max"]), setting)
    case "cycleLimitReached":
      return counted(Number(flags["cycles"] ?? 0) + 1, Number(params["max"]), setting)
    case "wasAnsweredByTool":
      return flags["answered"] === 1
    case "loopEscalated":
      return flags[`escalated ${text("place")}`] === 1
    case "turnEscalates":
      return end.signal === "done" && end.escalates
    case "activeIs":
      return flags[`active ${text("team")}`] === text("member")
    case "conditionHolds":
    case "exitConditionHolds":
      return flags["check"] === "holds"
    case "conditionFails":
      return flags["check"] === "raises"
    case "maximumReached":
      return counted(
        Number(flags[`loop ${text("place")}`] ?? 0) + 1,
        Number(params["max"]),
        setting,
      )
    case "branchEscalated":
      return flags["someEscalated"] === 1
    case "branchFailed":
      return flags["someFailed"] === 1
    case "mergeFails":
      return Object.values(setting.chart.settings.stateMerge).some((rule) => rule !== "replace")
        ? null
        : false
    case "callbackThrew":
      return end.signal === "failed"
    case "callbackAnswered":
      return end.runs === callbackAnswer
    default:
      return null
  }
}

const counted = (count: number | string | undefined, max: number, setting: Setting): Answer =>
  isExact(max, setting) ? Number(count ?? 0) >= max : null
