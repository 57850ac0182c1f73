import { shownText } from "../criteria/call-text.js"
import type { CaseResult, CriterionResult, EvaluationReport } from "../report/report.js"

/**
 * Formats a score with two decimal places, for example `0.75 ±0.10`. The number after `±` is half
 * of the width of the confidence interval, if the score has one.
 */
export function scoreText({ score, interval }: CriterionResult): string {
  if (score === null) return "-"
  return interval === undefined || interval === null
    ? score.toFixed(2)
    : `${score.toFixed(2)} ±${((interval[1] - interval[0]) / 2).toFixed(2)}`
}

const marks = { PASSED: "✓", FAILED: "✗", NOT_EVALUATED: "-" } as const

export const markOf = ({ status }: Pick<CaseResult, "status">): string => marks[status]

const withSeparators = (value: number): string =>
  String(value).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ",")

export const countText = (count: number, what: string): string =>
  `${withSeparators(count)} ${what}${count === 1 ? "" : "s"}`

/** Returns a one-line summary of an evaluation, with the numbers of cases and calls. */
export function summaryText({ summary, calls }: EvaluationReport): string {
  const { cases, passed, failed, notEvaluated } = summary
  return `${countText(cases, "case")}: ${passed} passed, ${failed} failed, ${notEvaluated} not evaluated. ${callsText(calls)}.`
}

export function callsText({
  models,
  tools,
  judge,
  tokens,
  judgeTokens,
  cost,
}: EvaluationReport["calls"]): string {
  return [
    countText(models, "model call"),
    countText(tools, "tool call"),
    countText(judge, "judge call"),
    countText(tokens + judgeTokens, "token"),
    ...(cost === null ? [] : [`cost ${Number(cost.toPrecision(4))}`]),
  ].join(", ")
}

const shortNames: Readonly<Record<string, string>> = {
  tool_trajectory_avg_score: "trajectory",
  response_match_score: "response",
  tool_parameter_match_v1: "parameters",
  final_session_state_v1: "final state",
  final_response_match_v2: "judged response",
  rubric_based_final_response_quality_v1: "response rubrics",
  rubric_based_tool_use_quality_v1: "tool rubrics",
  rubric_based_multi_turn_trajectory_quality_v1: "conversation rubrics",
  statechart_path_v1: "path",
  state_assertions_v1: "state",
  run_bounds_v1: "bounds",
  tool_policy_v1: "policy",
  response_text_v1: "text",
}

/** Returns the short name of a criterion for the head of a table. */
export const columnName = (criterion: string): string =>
  Object.hasOwn(shortNames, criterion) ? (shortNames[criterion] ?? criterion) : criterion

/**
 * Returns the names of all criteria of an eval set, in the order in which the cases first use them.
 */
export const criteriaIn = (
  cases: Readonly<Record<string, Pick<CaseResult, "criteria">>>,
): readonly string[] => [
  ...new Set(Object.values(cases).flatMap(({ criteria }) => Object.keys(criteria))),
]

/**
 * Returns the differences of a case from its expected results, by criterion. `withPassed` includes
 * the differences of passed criteria.
 */
export function differences(
  { criteria, ...result }: CaseResult,
  withPassed: boolean,
): readonly { readonly criterion: string; readonly lines: readonly string[] }[] {
  return [
    ...(result.error === undefined ? [] : [{ criterion: "run", lines: [runFailureText(result)] }]),
    ...Object.entries(criteria).flatMap(([criterion, { status, score, threshold, details = [] }]) =>
      (withPassed || status === "FAILED") && details.length > 0
        ? [{ criterion, lines: details }]
        : status === "FAILED"
          ? [{ criterion, lines: [`score ${String(score)}, threshold ${threshold}`] }]
          : [],
    ),
  ]
}

/** Describes why a run failed, with its error or its final status that is not allowed. */
export const runFailureText = ({
  error,
  errorMessage,
}: Pick<CaseResult, "error" | "errorMessage">): string =>
  `the run ended in a status that is not allowed: ${error ?? ""}${errorMessage === undefined ? "" : `: ${shownText(errorMessage)}`}`
