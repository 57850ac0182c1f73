import { shownText } from "../criteria/call-text.js"
import type { CriterionType, ScoringInput } from "../criteria/criterion.js"
import type { EvalCase, EvalTurn, Rubric } from "../eval-set/eval-set.js"
import { rubricList } from "../eval-set/eval-set-fields.js"
import { readRubrics } from "../eval-set/read-turn.js"
import { readField } from "../reading/fields.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { TurnRecord } from "../run/case-run.js"
import { askSamples } from "./ask-samples.js"
import { checkRubrics } from "./check-rubrics.js"
import { judgeOptions, readJudgeOptions } from "./judge-options.js"
import { conversationTask, responseTask, toolUseTask } from "./judge-tasks.js"
import { type Judgement, judgeTurns, majorityOf, notJudged } from "./judge-turns.js"
import { readRubricVotes } from "./read-verdicts.js"

const ownRubrics = { rubrics: rubricList("The properties that the judge checks.") }

/**
 * Criterion `rubric_based_final_response_quality_v1`. A judge model checks whether each response
 * has the properties in the rubrics.
 */
export const responseRubrics = rubricCriterion("FINAL_RESPONSE_QUALITY", responseTask)
/**
 * Criterion `rubric_based_tool_use_quality_v1`. A judge model checks whether the tool calls of each
 * turn have the properties in the rubrics.
 */
export const toolUseRubrics = rubricCriterion("TOOL_USE_QUALITY", toolUseTask)
/**
 * Criterion `rubric_based_multi_turn_trajectory_quality_v1`. A judge model checks whether the whole
 * conversation has the properties in the rubrics.
 */
export const conversationRubrics = rubricCriterion("TRAJECTORY_QUALITY", conversationTask)

function rubricCriterion(type: string, task: string): CriterionType {
  const isWhole = type === "TRAJECTORY_QUALITY"
  return {
    options: { ...judgeOptions, rubrics: ownRubrics.rubrics.schema },
    ignoresOtherOptions: true,
    read(criterion) {
      const options = readJudgeOptions(criterion)
      const own = readRubrics(
        readField(criterion.read, criterion.options, ownRubrics, "rubrics"),
        criterion.read,
      )
      const rubricsOf = ({ rubrics }: EvalCase, turn: EvalTurn): readonly Rubric[] => [
        ...own,
        ...[...rubrics, ...(isWhole ? [] : turn.rubrics)].filter((one) => one.type === type),
      ]
      return {
        judgeModel: options.model,
        check: (context) => checkRubrics(context, criterion, own, rubricsOf),
        score: (input) =>
          judgeTurns(input, async (turn, actual, index) => {
            const rubrics = rubricsOf(input.evalCase, turn)
            const isLast = index === input.evalCase.turns.length - 1
            if (rubrics.length === 0 || (isWhole && !isLast)) return notJudged
            if (actual === undefined)
              return {
                scores: rubrics.map(() => 0),
                hasFailed: false,
                details: ["did not happen"],
              }
            const { answers, hasFailed } = await askSamples(input.judge, options, {
              criterion: criterion.name,
              task,
              material: isWhole
                ? conversationMaterial(input, rubrics)
                : { ...turnMaterial(turn, actual), rubrics: rubrics.map(rubricMaterial) },
            })
            return { ...decide(rubrics, answers), hasFailed }
          }),
      }
    },
  }
}

/**
 * Scores each rubric by the majority of the votes in all answers of the judge model. The score is 1
 * if more than half of the votes are true, otherwise 0. Rubrics without votes have no score.
 */
function decide(
  rubrics: readonly Rubric[],
  answers: readonly string[],
): Omit<Judgement, "hasFailed"> {
  const votes = new Map<string, boolean[]>(rubrics.map(({ id }) => [id, []]))
  for (const answer of answers)
    for (const { rubric, vote } of readRubricVotes(answer, rubrics)) votes.get(rubric)?.push(vote)
  const decided = rubrics.map((rubric) => ({
    rubric,
    score: majorityOf(votes.get(rubric.id) ?? []),
  }))
  return {
    scores: decided.flatMap(({ score }) => score ?? []),
    details: decided.flatMap(({ rubric, score }) =>
      score === 0 ? [`the judge rejects ${rubric.id}: “${shownText(rubric.text)}”`] : [],
    ),
  }
}

const rubricMaterial = ({ id, text }: Rubric): JsonObject => ({ rubric_id: id, property: text })

function turnMaterial(
  { userText, reference }: EvalTurn,
  { text, calls, toolResults }: TurnRecord,
): JsonObject {
  const results = [...toolResults]
  return {
    user_text: userText,
    reference,
    response: text ?? "",
    tool_calls: calls.map(({ id, name, args }) => {
      const index = results.findIndex((result) =>
        id === null ? result.name === name : result.id === id,
      )
      const [result] = index === -1 ? [] : results.splice(index, 1)
      return { name, args, result: result?.response ?? null }
    }),
  }
}

const conversationMaterial = (
  { evalCase, run }: Pick<ScoringInput, "evalCase" | "run">,
  rubrics: readonly Rubric[],
): JsonObject => ({
  turns: evalCase.turns.flatMap((turn, index) => {
    const actual = run.turns[index]
    return actual === undefined ? [] : [turnMaterial(turn, actual)]
  }),
  rubrics: rubrics.map(rubricMaterial),
})
