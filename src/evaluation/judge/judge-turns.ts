import type { CriterionScore, ScoringInput } from "../criteria/criterion.js"
import type { EvalTurn } from "../eval-set/eval-set.js"
import type { TurnRecord } from "../run/case-run.js"
import { meanOf } from "../statistics/mean.js"

/** Result of judging one turn, with a score for each judged property. */
export interface Judgement {
  /** Scores of the judged properties. A property without votes has no score. */
  readonly scores: readonly number[]
  /** Whether a call of the judge failed. If true, the turn has no score. */
  readonly hasFailed: boolean
  /**
   * Messages that explain the scores, for example that the judge rejected a property of the
   * response.
   */
  readonly details: readonly string[]
}

export const notJudged: Judgement = { scores: [], hasFailed: false, details: [] }

/**
 * Judges the turns of a run one after the other. The score of the run is the mean of all property
 * scores of all turns.
 */
export async function judgeTurns(
  { evalCase, run }: Pick<ScoringInput, "evalCase" | "run">,
  judgeTurn: (
    expected: EvalTurn,
    actual: TurnRecord | undefined,
    index: number,
  ) => Judgement | Promise<Judgement>,
): Promise<CriterionScore> {
  const judgements: Judgement[] = []
  // Judge the turns in order, because a scripted judge returns its answers in this order.
  for (const [index, turn] of evalCase.turns.entries()) {
    const judgement = await judgeTurn(turn, run.turns[index], index)
    judgements.push(judgement.hasFailed ? { ...judgement, scores: [] } : judgement)
  }
  const failedJudgeTurns = judgements.filter(({ hasFailed }) => hasFailed).length
  return {
    score: meanOf(judgements.flatMap(({ scores }) => scores)),
    perTurn: judgements.map(({ scores }) => meanOf(scores)),
    details: judgements.flatMap(({ details }, index) =>
      details.map((line) => `turn ${index + 1}: ${line}`),
    ),
    ...(failedJudgeTurns !== 0 && { failedJudgeTurns }),
  }
}

/**
 * Returns 1 if more than half of the votes are true, otherwise 0. Returns null for an empty array.
 */
export function majorityOf(votes: readonly boolean[]): number | null {
  if (votes.length === 0) return null
  return votes.filter((vote) => vote).length * 2 > votes.length ? 1 : 0
}
