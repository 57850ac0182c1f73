/**
 * The error class of the public API. `code` is a stable error code, such as `run_unknown`, and
 * `docs/errors.md` documents all codes. `cause` contains the underlying error.
 *
 * Problems in configs are reported as diagnostics instead (see `compile`). If a call throws this
 * error because its input is invalid, the call has changed nothing.
 */
export class AgentStatechartsError extends Error {
  override readonly name: string = "AgentStatechartsError"
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Returns the message of an `Error`. Converts any other thrown value to a string. Never throws. */
export function thrownMessage(cause: unknown): string {
  try {
    const words: unknown = cause instanceof Error ? cause.message : cause
    return String(words)
  } catch {
    return "a value that cannot be converted to a string"
  }
}

/**
 * All error codes. A code is in the field `code` of an {@link AgentStatechartsError} and in the
 * error of a failed run. `docs/errors.md` describes each code.
 */
export const errorCodes = [
  "condition_refused",
  "condition_failed",
  "template_refused",
  "template_failed",
  "secret_missing",
  "host_refused",
  "header_refused",
  "model_call_failed",
  "tool_call_failed",
  "service_unreachable",
  "service_timeout",
  "connection_lost",
  "tool_list_timeout",
  "service_answer_malformed",
  "response_too_large",
  "redirect_refused",
  "process_refused",
  "service_missing",
  "instruction_failed",
  "host_code_failed",
  "nondeterministic_host_code",
  "schema_violated",
  "guardrail_tripped",
  "guardrail_failed",
  "unknown_route",
  "limit_reached",
  "time_invalid",
  "branches_failed",
  "for_each_failed",
  "for_each_not_a_list",
  "for_each_too_many_items",
  "completion_unreachable",
  "node_failed",
  "child_run_failed",
  "call_depth_exceeded",
  "workflow_calls_unsupported",
  "agent_card_invalid",
  "a2a_version_unsupported",
  "remote_call_failed",
  "remote_task_failed",
  "remote_task_rejected",
  "state_merge_failed",
  "argument_invalid",
  "config_invalid",
  "chart_invalid",
  "feature_missing",
  "definition_refused",
  "chart_differs",
  "policies_differ",
  "policy_violation",
  "input_refused",
  "request_unknown",
  "request_expired",
  "deadline_passed",
  "run_unknown",
  "run_exists",
  "run_finished",
  "run_owned",
  "run_suspended",
  "journal_failed",
  "journal_corrupt",
  "session_unknown",
  "session_exists",
  "session_conflict",
  "session_store_failed",
  "memory_failed",
  "cache_failed",
  "user_active",
  "scenario_invalid",
  "scenario_exhausted",
  "cassette_invalid",
  "cassette_missed",
  "evaluation_invalid",
  "drawing_package_missing",
  "package_missing",
  "internal",
] as const

export type ErrorCode = (typeof errorCodes)[number]
