import type { ReuseCounts } from "../../runtime/index.js"
import type { CaseResult, CriterionResult, EvalStatus } from "../report/report.js"
import { meanInterval } from "../statistics/intervals.js"
import { meanOf } from "../statistics/mean.js"
import type { ComparedCase, ComparisonSummary, ScoreChange } from "./comparison-report.js"

/**
 * Returns the change of the score from result A to result B, for each criterion that both contain.
 */
export function scoreChanges(
  a: Pick<CaseResult, "criteria">,
  b: Pick<CaseResult, "criteria">,
): Readonly<Record<string, ScoreChange>> {
  return Object.fromEntries(
    Object.entries(b.criteria).flatMap(([name, now]) => {
      const before = Object.hasOwn(a.criteria, name) ? a.criteria[name] : undefined
      return before === undefined ? [] : [[name, scoreChange(before, now)] as const]
    }),
  )
}

function scoreChange(before: CriterionResult, now: CriterionResult): ScoreChange {
  const delta = before.score === null || now.score === null ? null : now.score - before.score
  const [old, current] = [before.perRun ?? [], now.perRun ?? []]
  const pairs =
    old.length === current.length
      ? current.flatMap((score, index) => {
          const other = old[index] ?? null
          return score === null || other === null ? [] : [score - other]
        })
      : []
  return { delta, interval: meanInterval(pairs) }
}

const rank: Readonly<Record<EvalStatus, number>> = { FAILED: 0, NOT_EVALUATED: 1, PASSED: 2 }

/**
 * Compares the status of a case with workflow A and workflow B. Returns a positive number if B is
 * better, a negative number if B is worse, and 0 if the status is the same.
 */
export const improvementOf = ({ a, b }: Pick<ComparedCase, "a" | "b">): number =>
  rank[b.status] - rank[a.status]

/**
 * Counts the improved, regressed and unchanged cases of a comparison, and combines their score
 * changes and calls.
 */
export function comparisonSummary(cases: readonly ComparedCase[]): ComparisonSummary {
  const improvements = cases.map(improvementOf)
  const names = new Set(cases.flatMap(({ criteria }) => Object.keys(criteria)))
  const callsOf = (as: "made" | "reused"): ReuseCounts =>
    cases.reduce<ReuseCounts>(
      (sum, { calls }) => ({
        models: sum.models + (calls?.[as].models ?? 0),
        tools: sum.tools + (calls?.[as].tools ?? 0),
      }),
      { models: 0, tools: 0 },
    )
  return {
    improved: improvements.filter((value) => value > 0).length,
    regressed: improvements.filter((value) => value < 0).length,
    unchanged: improvements.filter((value) => value === 0).length,
    criteria: Object.fromEntries(
      [...names].map((name) => {
        const deltas = cases.flatMap(({ criteria }) => criteria[name]?.delta ?? [])
        return [name, { delta: meanOf(deltas), interval: meanInterval(deltas) }] as const
      }),
    ),
    calls: { made: callsOf("made"), reused: callsOf("reused") },
  }
}

/**
 * Returns the exit code for a comparison of two workflows. It is 2 if nothing was evaluated, 1 if a
 * case regressed, and 0 otherwise.
 */
export const comparisonExitCode = (
  { regressed }: Pick<ComparisonSummary, "regressed">,
  cases: readonly Pick<ComparedCase, "a" | "b">[],
): 0 | 1 | 2 =>
  regressed > 0
    ? 1
    : cases.some(({ a, b }) => a.status !== "NOT_EVALUATED" || b.status !== "NOT_EVALUATED")
      ? 0
      : 2
