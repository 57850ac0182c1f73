import type { EvalSetResult, EvaluationReport } from "../report/report.js"
import { comparisonExitCode, comparisonSummary, scoreChanges } from "./compare-results.js"
import type { ComparedCase, ComparedSet, ComparisonReport } from "./comparison-report.js"

/**
 * Compares an evaluation report with an earlier report. Matches eval sets and cases by their ids.
 * Cases that only one report contains are listed but not counted.
 */
export function compareWithBaseline(
  baseline: EvaluationReport,
  report: EvaluationReport,
): ComparisonReport {
  const before = new Map(baseline.sets.map((set) => [set.evalSetId, set]))
  const now = new Set(report.sets.map(({ evalSetId }) => evalSetId))
  const sets = [
    ...report.sets.map((set) => comparedSet(before.get(set.evalSetId), set)),
    ...baseline.sets
      .filter(({ evalSetId }) => !now.has(evalSetId))
      .map((set) => comparedSet(set, { ...set, cases: {} })),
  ]
  const cases = sets.flatMap((set) => Object.values(set.cases))
  const { calls, ...summary } = comparisonSummary(cases)
  return {
    version: 1,
    agents: { a: baseline.agent, b: report.agent },
    fingerprints: { a: baseline.fingerprint, b: report.fingerprint },
    repeat: report.repeat,
    duration: report.duration,
    sets,
    summary: {
      ...summary,
      calls: {
        ...calls,
        made: { models: report.calls.models, tools: report.calls.tools },
      },
    },
    calls: report.calls,
    warnings: report.warnings,
    errors: report.errors,
    exitCode: report.errors.length > 0 ? 2 : comparisonExitCode(summary, cases),
  }
}

function comparedSet(
  before: Pick<EvalSetResult, "cases"> | undefined,
  { file, evalSetId, cases }: EvalSetResult,
): ComparedSet {
  const old = before?.cases ?? {}
  return {
    file,
    evalSetId,
    cases: Object.fromEntries(
      Object.entries(cases).flatMap(([evalId, b]) => {
        const a = Object.hasOwn(old, evalId) ? old[evalId] : undefined
        if (a === undefined) return []
        const compared: ComparedCase = {
          a,
          b,
          changed: { status: a.status !== b.status },
          criteria: scoreChanges(a, b),
        }
        return [[evalId, compared] as const]
      }),
    ),
    added: Object.keys(cases).filter((evalId) => !Object.hasOwn(old, evalId)),
    removed: Object.keys(old).filter((evalId) => !Object.hasOwn(cases, evalId)),
  }
}
