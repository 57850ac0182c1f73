import type { EvalTurn } from "../eval-set/eval-set.js"
import type { TurnRecord } from "../run/case-run.js"
import { meanOf } from "../statistics/mean.js"
import type { CriterionScore, ScoringInput } from "./criterion.js"

/**
 * Score of one turn. `score` is null if the case does not define an expected result for the turn.
 */
export interface TurnScore {
  readonly score: number | null
  readonly details: readonly string[]
}

/**
 * Scores each expected turn of a case with `scoreTurn`. An expected turn that did not happen has
 * the score 0. The total score is the mean of all turns that have a score.
 */
export function scoreTurns(
  { evalCase, run }: Pick<ScoringInput, "evalCase" | "run">,
  scoreTurn: (expected: EvalTurn, actual: TurnRecord, index: number) => TurnScore,
): CriterionScore {
  const turns = evalCase.turns.map((expected, index): TurnScore => {
    const actual = run.turns[index]
    return actual === undefined
      ? { score: 0, details: ["did not happen"] }
      : scoreTurn(expected, actual, index)
  })
  return {
    score: meanOf(turns.map(({ score }) => score)),
    perTurn: turns.map(({ score }) => score),
    details: turns.flatMap(({ details }, index) =>
      details.map((line) => `turn ${index + 1}: ${line}`),
    ),
  }
}

/** A rule of a criterion, and whether the run satisfies this rule. */
export interface CriterionEntry {
  readonly isSatisfied: boolean
  /**
   * Description of the difference between the expected and the actual result. The report shows it
   * if the run does not satisfy the rule of the criterion.
   */
  readonly text: string
}

/** Returns the fraction of satisfied rules as score. The score is null if there are no rules. */
export const scoreEntries = (entries: readonly CriterionEntry[]): CriterionScore => ({
  score:
    entries.length === 0
      ? null
      : entries.filter(({ isSatisfied }) => isSatisfied).length / entries.length,
  details: entries.flatMap(({ isSatisfied, text }) => (isSatisfied ? [] : [text])),
})
