/**
 * What the compiler has to say about a config. Bad configs are data: every phase returns all that it found.
 *
 * `message` says what is wrong in the user's own names, `fix` how to fix it; `pointer` is a JSON pointer into the
 * config as given, `line` and `column` (both from 1) are there when the config was text.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode
  /** Errors prevent the chart. Hints are the lowest: hidden unless asked for. */
  readonly severity: "error" | "warning" | "hint"
  readonly message: string
  readonly fix: string
  readonly pointer: string
  readonly agent?: string
  readonly tool?: string
  readonly field?: string
  /** In a config of several files: which one, relative to its folder, with `/`. */
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Every code of a {@link Diagnostic}. Each has a paragraph in `docs/errors.md`. */
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
  "node_ambiguous",
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
  "bad_duration",
  "bad_url",
  "bad_method",
  "bad_template",
  "bad_condition",
  "handoff_across_branches",
  "unreachable_agent",
  "unused_tool",
  "branches_write_one_key",
  "key_never_written",
  "constant_condition",
  "always_true_condition",
  "number_against_text",
  "no_exit_but_maximum",
  "endless_loop",
  "vague_output_key",
  "inline_agent_referenced",
  "tool_listed_twice",
  "too_many_diagnostics",
] as const

export type DiagnosticCode = (typeof diagnosticCodes)[number]
