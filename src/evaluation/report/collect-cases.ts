import type { PlannedSet } from "../plan/plan-evaluation.js"
import type { EvaluationProblem } from "../reading/problem.js"
import { addEvalCalls, noEvalCalls } from "../run/progress-counter.js"
import type { CaseResult, EvalCallCounts } from "./report.js"

/**
 * Result of a test case, the warnings about the case, and the numbers of calls that its runs made.
 */
export interface EvaluatedCase<Result = CaseResult> {
  readonly result: Result
  readonly warnings: readonly EvaluationProblem[]
  readonly calls: EvalCallCounts
}

/** Results of all test cases, all warnings, and the total numbers of calls. */
export interface CollectedCases<Result> {
  readonly sets: readonly {
    readonly file: string
    readonly evalSetId: string
    readonly cases: Readonly<Record<string, Result>>
  }[]
  readonly results: readonly Result[]
  readonly warnings: readonly EvaluationProblem[]
  readonly calls: EvalCallCounts
}

/** Collects the results of test cases in the order of the files. Omits cases without a result. */
export function collectCases<Result>(
  sets: readonly PlannedSet[],
  resultOf: (setIndex: number, caseIndex: number) => EvaluatedCase<Result> | null,
): CollectedCases<Result> {
  const evaluated = sets.map(({ file, evalSetId, cases }, setIndex) => ({
    file,
    evalSetId,
    cases: cases.flatMap(({ evalCase }, caseIndex) => {
      const found = resultOf(setIndex, caseIndex)
      return found === null ? [] : [{ evalId: evalCase.evalId, found }]
    }),
  }))
  const all = evaluated.flatMap(({ cases }) => cases.map(({ found }) => found))
  return {
    sets: evaluated.map(({ file, evalSetId, cases }) => ({
      file,
      evalSetId,
      cases: Object.fromEntries(cases.map(({ evalId, found }) => [evalId, found.result] as const)),
    })),
    results: all.map(({ result }) => result),
    warnings: all.flatMap(({ warnings }) => warnings),
    calls: all.map(({ calls }) => calls).reduce(addEvalCalls, noEvalCalls),
  }
}
