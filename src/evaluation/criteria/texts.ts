import { rouge1 } from "../rouge/rouge1.js"
import { shownText } from "./call-text.js"
import type { CriterionType } from "./criterion.js"
import { scoreTurns } from "./reference-score.js"

/** `response_match_score`: ROUGE-1 of the text of each turn against its reference. */
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
