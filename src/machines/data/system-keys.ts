/** Keys of the session state that the system itself writes. */
export const systemKeys: ReadonlySet<string> = new Set([
  "_user_message_count",
  "orchestration_cycle_count",
  "current_agent_loop_iteration",
  "loop_exit_reason",
  "branch_errors",
])
