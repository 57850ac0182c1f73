import type { EvalCallCounts, EvalStatus } from "../report/report.js"

/** Progress of an evaluation, with the numbers of cases, active runs and calls. */
export interface EvaluationCounts {
  readonly cases: number
  readonly done: number
  readonly failed: number
  /** Number of runs that are currently active. */
  readonly running: number
  readonly calls: EvalCallCounts
}

export const noEvalCalls: EvalCallCounts = {
  models: 0,
  tools: 0,
  judge: 0,
  tokens: 0,
  judgeTokens: 0,
  cost: null,
}

export const addEvalCalls = (one: EvalCallCounts, other: EvalCallCounts): EvalCallCounts => ({
  models: one.models + other.models,
  tools: one.tools + other.tools,
  judge: one.judge + other.judge,
  tokens: one.tokens + other.tokens,
  judgeTokens: one.judgeTokens + other.judgeTokens,
  cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
})

/**
 * Counts the finished cases and active runs of an evaluation. Reports the counts after each change.
 */
export interface ProgressCounter {
  runStarted(): void
  runEnded(calls: EvalCallCounts): void
  caseEnded(status: EvalStatus): void
}

export function progressCounter(
  cases: number,
  report: (counts: EvaluationCounts) => void,
): ProgressCounter {
  let counts: EvaluationCounts = { cases, done: 0, failed: 0, running: 0, calls: noEvalCalls }
  const change = (changes: Partial<EvaluationCounts>): void => {
    counts = { ...counts, ...changes }
    report(counts)
  }
  return {
    runStarted: () => change({ running: counts.running + 1 }),
    runEnded: (calls) =>
      change({ running: counts.running - 1, calls: addEvalCalls(counts.calls, calls) }),
    caseEnded: (status) =>
      change({
        done: counts.done + 1,
        failed: counts.failed + (status === "FAILED" ? 1 : 0),
      }),
  }
}
