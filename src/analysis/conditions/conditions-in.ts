import type { ChartState } from "../../machines/contract/chart-machine.js"

/** Returns the sources of the conditions that a state and the states inside it check. */
export function conditionsIn({
  entry = [],
  states = {},
}: Pick<ChartState, "entry" | "states">): readonly string[] {
  const own = entry.flatMap(({ type, params }) =>
    type === "checkWhen" || type === "checkExitCondition" ? [String(params?.["condition"])] : [],
  )
  const inner = Object.values(states)
  return inner.length === 0 ? own : [...own, ...inner.flatMap(conditionsIn)]
}
