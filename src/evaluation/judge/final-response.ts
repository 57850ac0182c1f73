import { shownText } from "../criteria/call-text.js"
import type { CriterionType } from "../criteria/criterion.js"
import { askSamples } from "./ask-samples.js"
import { judgeOptions, readJudgeOptions } from "./judge-options.js"
import { finalResponseTask } from "./judge-tasks.js"
import { judgeTurns, majorityOf } from "./judge-turns.js"
import { readLabel } from "./read-verdicts.js"

/**
 * Criterion `final_response_match_v2`. For each turn, a judge model decides whether the final
 * response agrees with the reference.
 */
export const finalResponseMatch: CriterionType = {
  options: judgeOptions,
  ignoresOtherOptions: true,
  read(criterion) {
    const options = readJudgeOptions(criterion)
    return {
      judgeModel: options.model,
      score: (input) =>
        judgeTurns(input, async ({ userText, reference }, actual) => {
          if (actual === undefined)
            return { scores: [0], hasFailed: false, details: ["did not happen"] }
          const response = actual.text ?? ""
          const { answers, hasFailed } = await askSamples(input.judge, options, {
            criterion: criterion.name,
            task: finalResponseTask,
            material: { user_text: userText, reference: reference ?? "", response },
          })
          const score = majorityOf(answers.flatMap((answer) => readLabel(answer) ?? []))
          return {
            scores: score === null ? [] : [score],
            hasFailed,
            details:
              score === 0
                ? [`the judge rejects “${shownText(response)}” for “${shownText(reference ?? "")}”`]
                : [],
          }
        }),
    }
  },
}
