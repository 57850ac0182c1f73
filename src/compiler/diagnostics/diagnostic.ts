/**
 * A problem that the compiler found in a config. Every phase of the compiler reports all problems
 * that it finds, not only the first. `message` describes the problem with the names in the config,
 * and `fix` describes how to fix it. `pointer` is a JSON pointer into the config. If the config is
 * text, `line` and `column` are set. Both start at 1.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode
  /**
   * With an `error`, no chart is created. A `warning` means that the chart probably does not run as
   * intended. A `hint` is a minor problem, which is hidden by default.
   */
  readonly severity: "error" | "warning" | "hint"
  readonly message: string
  readonly fix: string
  readonly pointer: string
  readonly agent?: string
  readonly tool?: string
  readonly field?: string
  /**
   * Path of the file with the problem, relative to the folder of the config, with `/` as separator.
   * Only set for a config that consists of several files.
   */
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** All codes of a {@link Diagnostic}. `docs/errors.md` describes each of them. */
export const diagnosticCodes = [
  "json_syntax",
  "yaml_syntax",
  "yaml_boolean",
  "missing_file",
  "path_outside",
  "unreadable_file",
  "config_shape",
  "config_too_large",
  "nesting_too_deep",
  "dialect_unsupported",
  "unsupported_feature",
  "hosted_tool",
  "node_unknown",
  "nodes_ignored",
  "missing_field",
  "wrong_type",
  "bad_value",
  "unknown_field",
  "field_of_another_class",
  "no_effect",
  "duplicate_key",
  "duplicate_id",
  "bad_id",
  "reserved_name",
  "unknown_agent",
  "unknown_agent_type",
  "unknown_tool",
  "unknown_tool_type",
  "unknown_node_type",
  "unknown_node",
  "dependency_cycle",
  "broken_loop",
  "bad_boundary",
  "unconnected_node",
  "unreadable_result",
  "reference_cycle",
  "agent_tool_recursion",
  "empty_sub_agents",
  "broken_graph",
  "missing_route",
  "second_parent",
  "inline_agent",
  "reference_instead_of_agent",
  "missing_maximum",
  "output_key_on_parallel",
  "schema_beside_tools",
  "missing_model",
  "missing_service",
  "process_not_allowed",
  "operation_unavailable",
  "credential_missing",
  "bad_duration",
  "bad_url",
  "bad_method",
  "bad_template",
  "bad_condition",
  "handoff_across_branches",
  "unreachable_agent",
  "unused_tool",
  "branches_write_one_key",
  "dropped_key",
  "hidden_item",
  "key_never_written",
  "constant_condition",
  "always_true_condition",
  "number_against_text",
  "no_exit_but_maximum",
  "endless_loop",
  "join_may_wait",
  "vague_output_key",
  "unread_text",
  "unfilled_placeholder",
  "inline_agent_referenced",
  "tool_listed_twice",
  "too_many_diagnostics",
] as const

export type DiagnosticCode = (typeof diagnosticCodes)[number]
