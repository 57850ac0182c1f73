import type {
  ChartState,
  ChartTransition,
  NamedAction,
} from "../../machines/contract/chart-machine.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"

/** Returns the label of a transition in statechart notation: `event [guard] / actions`. */
export function statechartLabel(
  { cause, event }: Pick<TransitionList, "cause" | "event">,
  { guard, actions = [] }: ChartTransition,
): string {
  const parts = [
    event ?? (cause === "always" ? "" : "done"),
    guard === undefined ? "" : `[${callText(guard)}]`,
    actions.length === 0 ? "" : `/ ${actions.map(({ type }) => type).join(", ")}`,
  ]
  return parts.filter((part) => part !== "").join(" ") || "always"
}

/**
 * Returns the text lines of a state in statechart notation, such as `entry / enterLoop`. They show
 * the entry actions, the exit actions, the invoked actor and the internal transitions.
 */
export function statechartLines({ entry, exit, invoke, on }: ChartState): readonly string[] {
  const inner = (invoke?.onDone ?? []).filter(({ target }) => target === undefined)
  const events = Object.entries(on ?? {}).flatMap(([event, transitions]) =>
    transitions
      .filter(({ target }) => target === undefined)
      .map((transition) => statechartLabel({ cause: "event", event }, transition)),
  )
  return [
    ...(entry ?? []).map((action) => `entry / ${callText(action)}`),
    ...(exit ?? []).map((action) => `exit / ${callText(action)}`),
    ...(invoke === undefined ? [] : [`invoke ${invoke.src}`]),
    ...inner.map((transition) => statechartLabel({ cause: "invoked", event: null }, transition)),
    ...events,
  ]
}

/**
 * Names of the guard and action parameters whose values are shown in labels. All other parameters
 * only identify the state.
 */
const shownParams = ["condition", "max", "event", "agent", "outcome", "to"]

function callText({ type, params = {} }: NamedAction): string {
  const values = shownParams.flatMap((name) => {
    const value = params[name]
    return typeof value === "string" || typeof value === "number" ? [String(value)] : []
  })
  return values.length === 0 ? type : `${type}(${values.join(", ")})`
}
