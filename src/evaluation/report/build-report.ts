import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CustomMetrics } from "../criteria/criterion.js"
import type { PlannedSet } from "../plan/plan-evaluation.js"
import type { EvaluationProblem } from "../reading/problem.js"
import { addEvalCalls, noEvalCalls } from "../run/progress-counter.js"
import type { CaseResult, EvalCallCounts, EvalSummary, EvaluationReport } from "./report.js"

/** The result of a case with its warnings and calls. */
export interface EvaluatedCase {
  readonly result: CaseResult
  readonly warnings: readonly EvaluationProblem[]
  readonly calls: EvalCallCounts
}

/** Combines the results of cases, in the order of the files. A case without a result is left out. */
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
  const evaluated = sets.map(({ cases }, setIndex) =>
    cases.flatMap(({ evalCase }, caseIndex) => {
      const found = resultOf(setIndex, caseIndex)
      return found === null ? [] : [{ evalId: evalCase.evalId, found }]
    }),
  )
  const all = evaluated.flat().map(({ found }) => found)
  const summary = summaryOf(all.map(({ result }) => result))
  return {
    version: 1,
    agent: id,
    fingerprint,
    repeat: about.repeat,
    duration: about.duration,
    sets: sets.map(({ file, evalSetId }, index) => ({
      file,
      evalSetId,
      cases: Object.fromEntries(
        (evaluated[index] ?? []).map(({ evalId, found }) => [evalId, found.result] as const),
      ),
    })),
    summary,
    calls: all.map(({ calls }) => calls).reduce(addEvalCalls, noEvalCalls),
    warnings: [
      ...sets.flatMap((set) => unsupportedCriteria(set, about.metrics)),
      ...all.flatMap(({ warnings }) => warnings),
    ],
    errors: [],
    exitCode: summary.failed > 0 ? 1 : summary.passed > 0 ? 0 : 2,
  }
}

/** The report of an evaluation that could not start. */
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

/** Returns a warning for each criterion of a set that cannot be evaluated. */
export function unsupportedCriteria(
  { file, cases }: PlannedSet,
  metrics: CustomMetrics,
): readonly EvaluationProblem[] {
  const criteria = new Map(
    cases
      .filter(({ evalCase }) => !evalCase.needsSimulatedUser)
      .flatMap((planned) => planned.criteria.map((criterion) => [criterion.name, criterion])),
  )
  return [...criteria.values()].flatMap(({ name, scorer, file: configFile, at }) => {
    const reason = scorer.unsupported?.({ metrics }) ?? null
    return reason === null
      ? []
      : [
          {
            code: "criterion_unsupported" as const,
            message: `${name} is not evaluated for the cases of ${file}`,
            file: configFile,
            at,
            fix: reason,
          },
        ]
  })
}
