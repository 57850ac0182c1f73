import { finalResponseMatch } from "../judge/final-response.js"
import { conversationRubrics, responseRubrics, toolUseRubrics } from "../judge/rubrics.js"
import type { CriterionType } from "./criterion.js"
import { responseText } from "./response-text.js"
import { runBounds } from "./run-bounds.js"
import { finalSessionState, stateAssertions } from "./session-state.js"
import { statechartPath } from "./statechart-path.js"
import { responseMatch } from "./texts.js"
import { toolParameters } from "./tool-parameters.js"
import { toolPolicy } from "./tool-policy.js"
import { trajectory } from "./trajectory.js"

/**
 * Creates a criterion type for an ADK criterion that this package does not support. Such criteria
 * need Google Cloud, a judge that segments the text, or a simulated user. `closest` is the name of
 * the closest supported criterion.
 */
const unsupported = (closest: string): CriterionType => ({
  options: {},
  ignoresOtherOptions: true,
  hasAnyThreshold: true,
  read: ({ name }) => ({
    unsupported: () => `${name} is not supported. Use ${closest} instead.`,
    score: () => ({ score: null, details: [] }),
  }),
})

/** All built-in types of evaluation criteria, by name. */
export const criterionTypes: Readonly<Record<string, CriterionType>> = {
  tool_trajectory_avg_score: trajectory,
  response_match_score: responseMatch,
  tool_parameter_match_v1: toolParameters,
  final_session_state_v1: finalSessionState,
  final_response_match_v2: finalResponseMatch,
  rubric_based_final_response_quality_v1: responseRubrics,
  rubric_based_tool_use_quality_v1: toolUseRubrics,
  rubric_based_multi_turn_trajectory_quality_v1: conversationRubrics,
  statechart_path_v1: statechartPath,
  state_assertions_v1: stateAssertions,
  run_bounds_v1: runBounds,
  tool_policy_v1: toolPolicy,
  response_text_v1: responseText,
  hallucinations_v1: unsupported(
    "a rubric of rubric_based_final_response_quality_v1, such as “The response contains only facts of the tool results.”,",
  ),
  safety_v1: unsupported(
    "a rubric of rubric_based_final_response_quality_v1, such as “The response is harmless.”,",
  ),
  response_evaluation_score: unsupported("final_response_match_v2"),
  multi_turn_task_success_v1: unsupported("rubric_based_multi_turn_trajectory_quality_v1"),
  multi_turn_trajectory_quality_v1: unsupported("rubric_based_multi_turn_trajectory_quality_v1"),
  multi_turn_tool_use_quality_v1: unsupported("rubric_based_tool_use_quality_v1"),
  per_turn_user_simulator_quality_v1: unsupported("a conversation with user messages"),
}

/**
 * Names of the metrics. A metric measures a number, for example the number of tool calls. It has no
 * threshold and never fails a case.
 */
export const metricNames = [
  "tool_call_count_v1",
  "inference_call_count_v1",
  "token_usage_v1",
  "invocation_duration_v1",
] as const
