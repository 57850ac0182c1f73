import type { ChartState } from "../../machines/contract/chart-machine.js"

/** Returns the source texts of all conditions that a state and its nested states evaluate. */
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
