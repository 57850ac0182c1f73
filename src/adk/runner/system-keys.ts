/** What this library counts in the state (SPEC section 5), and ADK does not. */
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
