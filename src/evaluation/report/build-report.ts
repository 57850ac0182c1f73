import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CustomMetrics } from "../criteria/criterion.js"
import type { PlannedSet } from "../plan/plan-evaluation.js"
import type { EvaluationProblem } from "../reading/problem.js"
import { noEvalCalls } from "../run/progress-counter.js"
import { collectCases, type EvaluatedCase } from "./collect-cases.js"
import type { CaseResult, EvalSummary, EvaluationReport } from "./report.js"

/**
 * Builds the report of an evaluation from the results of its cases, in the order of the files.
 * Omits cases without a result.
 */
export function buildReport(
  { id, fingerprint }: Pick<AgentChart, "id" | "fingerprint">,
  sets: readonly PlannedSet[],
  resultOf: (setIndex: number, caseIndex: number) => EvaluatedCase | null,
  about: {
    readonly repeat: number
    readonly duration: number
    readonly metrics: CustomMetrics
  },
): EvaluationReport {
  const collected = collectCases(sets, resultOf)
  const summary = summaryOf(collected.results)
  return {
    version: 1,
    agent: id,
    fingerprint,
    repeat: about.repeat,
    duration: about.duration,
    sets: collected.sets,
    summary,
    calls: collected.calls,
    warnings: [
      ...sets.flatMap((set) => unsupportedCriteria(set, about.metrics)),
      ...collected.warnings,
    ],
    errors: [],
    exitCode: summary.failed > 0 ? 1 : summary.passed > 0 ? 0 : 2,
  }
}

/** Returns the report of an evaluation that could not start because of `errors`. */
export const invalidReport = (
  { id, fingerprint }: Pick<AgentChart, "id" | "fingerprint">,
  errors: readonly EvaluationProblem[],
  repeat: number,
): EvaluationReport => ({
  version: 1,
  agent: id,
  fingerprint,
  repeat,
  duration: 0,
  sets: [],
  summary: summaryOf([]),
  calls: noEvalCalls,
  warnings: [],
  errors,
  exitCode: 2,
})

function summaryOf(results: readonly CaseResult[]): EvalSummary {
  const count = (status: CaseResult["status"]): number =>
    results.filter((result) => result.status === status).length
  return {
    cases: results.length,
    passed: count("PASSED"),
    failed: count("FAILED"),
    notEvaluated: count("NOT_EVALUATED"),
  }
}

/** Returns a warning for each criterion of an eval set that is not supported. */
export function unsupportedCriteria(
  { file, cases }: PlannedSet,
  metrics: CustomMetrics,
): readonly EvaluationProblem[] {
  const criteria = new Map(
    cases
      .filter(({ evalCase }) => !evalCase.needsSimulatedUser)
      .flatMap((planned) => planned.criteria.map((criterion) => [criterion.name, criterion])),
  )
  return [...criteria.values()].flatMap(({ name, scorer, file: configFile, pointer }) => {
    const reason = scorer.unsupported?.({ metrics }) ?? null
    return reason === null
      ? []
      : [
          {
            code: "criterion_unsupported" as const,
            message: `the criterion ${name} is not evaluated for the cases of ${file}`,
            file: configFile,
            at: pointer,
            fix: reason,
          },
        ]
  })
}
