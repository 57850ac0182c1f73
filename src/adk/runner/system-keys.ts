/** System keys of the state that ADK does not have (docs/semantics.md#state). */
const systemKeys: ReadonlySet<string> = new Set([
  "_user_message_count",
  "orchestration_cycle_count",
  "current_agent_loop_iteration",
  "loop_exit_reason",
])

/** A state as programs of ADK know it. */
export const withoutSystemKeys = (
  state: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !systemKeys.has(key)))
