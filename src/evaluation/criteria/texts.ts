import { rouge1 } from "../rouge/rouge1.js"
import { shownText } from "./call-text.js"
import type { CriterionType } from "./criterion.js"
import { scoreTurns } from "./reference-score.js"

/**
 * Criterion `response_match_score`, which compares the text of each turn with its reference text by
 * ROUGE-1.
 */
export const responseMatch: CriterionType = {
  options: {},
  ignoresOtherOptions: true,
  read: () => ({
    score: (input) =>
      scoreTurns(input, ({ reference }, { text }) => {
        const score = rouge1(reference ?? "", text ?? "").f1
        return {
          score,
          details:
            score >= 1
              ? []
              : [`expected “${shownText(reference ?? "")}”, actual “${shownText(text ?? "")}”`],
        }
      }),
  }),
}
