import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Criterion, CriterionScore, CustomMetrics } from "../criteria/criterion.js"
import type { Judge } from "../judge/judge.js"
import type { PlannedCase } from "../plan/plan-evaluation.js"
import type { CaseRun, TurnUsage } from "../run/case-run.js"

/** Scores, calls and tokens of one repetition of a test case. */
export interface ScoredRun {
  readonly runId: string
  /**
   * Error code or status of the run if it did not end in an allowed status. Allowed are `completed`
   * and the statuses that a criterion allows. Otherwise null.
   */
  readonly error: string | null
  /** Message of the error in the field `error`. Null if there is no error. */
  readonly errorMessage: string | null
  readonly scores: Readonly<Record<string, CriterionScore>>
  /** Calls, tokens and time of each executed turn. */
  readonly turns: readonly ScoredTurn[]
  /** Reasons why answers of the test case were not used. */
  readonly unusedAnswers: readonly string[]
}

export interface ScoredTurn extends TurnUsage {
  /**
   * Number of tool calls in the turn that criteria compare with the expected calls. Calls inside
   * AgentTools are excluded.
   */
  readonly trajectoryCalls: number
}

export interface ScoreRunOptions {
  readonly chart: AgentChart
  /**
   * Judge model to which criteria send their questions. Null skips all criteria that need a judge.
   */
  readonly judge: Judge | null
  readonly metrics: CustomMetrics
}

/**
 * Computes the scores of all criteria for one run of a test case, one criterion after the other.
 */
export async function scoreRun(
  { evalCase, criteria }: PlannedCase,
  run: CaseRun,
  { chart, judge, metrics }: ScoreRunOptions,
): Promise<ScoredRun> {
  const scores: Record<string, CriterionScore> = {}
  for (const criterion of criteria) {
    const { scorer } = criterion
    scores[criterion.name] =
      isUnsupported(criterion, metrics) || (scorer.judgeModel !== undefined && judge === null)
        ? noScore
        : await scorer.score({ chart, evalCase, run, judge: judge ?? noJudge, metrics })
  }
  const allowed = criteria.flatMap(({ scorer }) => scorer.allowedStatuses ?? [])
  const isAllowed = run.status === "completed" || allowed.includes(run.status)
  return {
    runId: run.runId,
    error: isAllowed ? null : (run.errorCode ?? run.status),
    errorMessage: isAllowed ? null : run.errorMessage,
    scores,
    turns: run.turns.map(({ usage, calls }) => ({ ...usage, trajectoryCalls: calls.length })),
    unusedAnswers: run.unusedAnswers.map(
      ({ answer, reason }) => `${JSON.stringify(answer)} was not used: ${reason}`,
    ),
  }
}

const isUnsupported = ({ scorer }: Criterion, metrics: CustomMetrics): boolean =>
  (scorer.unsupported?.({ metrics }) ?? null) !== null

const noScore: CriterionScore = { score: null, details: [] }

const noJudge: Judge = { ask: async () => null }
