import type { Criterion, CriterionScore } from "../criteria/criterion.js"
import type { PlannedCase } from "../plan/plan-evaluation.js"
import type { CaseResult, CriterionResult, EvalStatus } from "../report/report.js"
import { meanInterval, shareInterval, withinScores } from "../statistics/intervals.js"
import { meanOf } from "../statistics/mean.js"
import type { ScoredRun, ScoredTurn } from "./score-run.js"

export interface CaseResultOptions {
  /** Whether a case fails if one of its criteria has no score. */
  readonly strict?: boolean
}

/**
 * Tolerance for rounding errors when a score is compared with a threshold. For example, a sum of
 * thirds may be slightly less than 1.
 */
const thresholdTolerance = 1e-9

/** Result of a test case that needs a simulated user. Such test cases are not supported. */
export const notEvaluatedCase: CaseResult = {
  status: "NOT_EVALUATED",
  runs: [],
  duration: 0,
  criteria: {},
  metrics: {},
}

/** Combines the scores of all repetitions of a test case into one result. */
export function caseResult(
  { criteria }: PlannedCase,
  runs: readonly ScoredRun[],
  { strict = false }: CaseResultOptions = {},
): CaseResult {
  const results = criteria.map((criterion) => ({
    criterion,
    result: criterionResult(criterion, runs),
  }))
  const failure = runs.find(({ error }) => error !== null)
  const statuses = results.map(({ result }) => result.status)
  const turns = runs.flatMap((run) => run.turns)
  return {
    status: statusOf(statuses, failure !== undefined, strict),
    ...(failure?.error != null && { error: failure.error }),
    ...(failure?.errorMessage != null && { errorMessage: failure.errorMessage }),
    runs: runs.map(({ runId }) => runId),
    duration: turns.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    criteria: Object.fromEntries(
      results.map(({ criterion, result }) => [criterion.name, result] as const),
    ),
    metrics: metricsOf(turns),
    ...(runs.length > 1 && { passRate: passRateOf(criteria, runs) }),
  }
}

function statusOf(
  statuses: readonly EvalStatus[],
  hasFailedRun: boolean,
  strict: boolean,
): EvalStatus {
  if (hasFailedRun || statuses.includes("FAILED")) return "FAILED"
  if (strict && statuses.includes("NOT_EVALUATED")) return "FAILED"
  return statuses.includes("PASSED") ? "PASSED" : "NOT_EVALUATED"
}

function criterionResult(
  { name, threshold, hasAnyScore }: Criterion,
  runs: readonly ScoredRun[],
): CriterionResult {
  const scores = runs.flatMap((run) => run.scores[name] ?? [])
  const perRun = scores.map(({ score }) => score)
  const score = meanOf(perRun)
  const perTurn = perTurnOf(scores)
  const interval = meanInterval(perRun.flatMap((one) => one ?? []))
  const details = scores.flatMap((one, index) =>
    one.details.map((line) => (runs.length > 1 ? `repetition ${index + 1}: ${line}` : line)),
  )
  return {
    score,
    threshold,
    status: score === null ? "NOT_EVALUATED" : isPassed(score, threshold) ? "PASSED" : "FAILED",
    ...(perTurn !== null && { perInvocation: perTurn }),
    ...(runs.length > 1 && { perRun, interval: hasAnyScore ? interval : withinScores(interval) }),
    ...(details.length > 0 && { details }),
  }
}

/**
 * Returns the scores of the turns of all repetitions. Returns null if the criterion scores each run
 * as a whole.
 */
const perTurnOf = (scores: readonly CriterionScore[]): readonly (number | null)[] | null =>
  scores.some(({ perTurn }) => perTurn !== undefined)
    ? scores.flatMap(({ perTurn }) => perTurn ?? [])
    : null

const isPassed = (score: number, threshold: number): boolean =>
  score >= threshold - thresholdTolerance

/**
 * Returns the share of repetitions that passed. A repetition passes if its run ended in an allowed
 * status and all its scores reach their thresholds. Missing scores are ignored.
 */
function passRateOf(
  criteria: readonly Criterion[],
  runs: readonly ScoredRun[],
): NonNullable<CaseResult["passRate"]> {
  const passed = runs.filter(
    ({ error, scores }) =>
      error === null &&
      criteria.every(({ name, threshold }) => {
        const score = scores[name]?.score ?? null
        return score === null || isPassed(score, threshold)
      }),
  ).length
  return { passed, of: runs.length, interval: shareInterval(passed, runs.length) }
}

const metricsOf = (turns: readonly ScoredTurn[]): CaseResult["metrics"] => ({
  tool_call_count_v1: meanOf(turns.map(({ trajectoryCalls }) => trajectoryCalls)),
  inference_call_count_v1: meanOf(turns.map(({ modelCalls }) => modelCalls)),
  token_usage_v1: meanOf(
    turns.map(({ hasTokens, inputTokens, outputTokens }) =>
      hasTokens ? inputTokens + outputTokens : null,
    ),
  ),
  invocation_duration_v1: meanOf(turns.map(({ durationMs }) => durationMs / 1000)),
})
