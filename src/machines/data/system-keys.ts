/** The session state keys that the system writes (docs/semantics.md#state). */
export const systemKey = {
  /** Number of messages that the user has sent. */
  userMessageCount: "_user_message_count",
  /** Number of the current cycle of the root agent, counted from 1. */
  cycleCount: "orchestration_cycle_count",
  /** Index of the current iteration of the innermost loop, counted from 0. */
  loopIteration: "current_agent_loop_iteration",
  /** The reason why the last loop ended, such as `escalate`. */
  loopExitReason: "loop_exit_reason",
  /** Errors of the failed branches of parallel blocks with `failurePolicy: "collect"`. */
  branchErrors: "branch_errors",
} as const

/** All session state keys that the system writes. A config cannot use them as output keys. */
export const systemKeys: ReadonlySet<string> = new Set(Object.values(systemKey))

/**
 * System keys that contain counters. The state that is passed to services does not contain them.
 */
export const counterKeys: readonly string[] = [systemKey.userMessageCount, systemKey.cycleCount]
