/** Names of the session state keys that the run itself writes (docs/semantics.md#state). */
export const systemKey = {
  /** Number of user messages, including the initial prompt. */
  userMessageCount: "_user_message_count",
  /** Number of the current cycle, which is one pass of the root agent. Counted from 1. */
  cycleCount: "orchestration_cycle_count",
  /** Index of the current iteration of the innermost loop, starting at 0. */
  loopIteration: "current_agent_loop_iteration",
  /** Contains the reason why the most recent loop ended, such as `exit_condition` or `escalate`. */
  loopExitReason: "loop_exit_reason",
  /**
   * Contains the errors of failed branches of parallel blocks with `failurePolicy: "collect"`. The
   * value is an object that maps the agent id of each failed branch to its error.
   */
  branchErrors: "branch_errors",
} as const

/** All session state keys that the run itself writes. A config cannot use them as output keys. */
export const systemKeys: ReadonlySet<string> = new Set(Object.values(systemKey))

/**
 * Session state keys that contain counters. They are removed from the state that models and tools
 * receive.
 */
export const counterKeys: readonly string[] = [systemKey.userMessageCount, systemKey.cycleCount]
