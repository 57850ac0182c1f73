import { sameJson } from "../../runtime/history/equal-json.js"
import type { EvalCall } from "../eval-set/eval-set.js"
import { meanOf } from "../statistics/mean.js"
import { callsText } from "./call-text.js"
import type { CriterionType } from "./criterion.js"
import { scoreTurns } from "./reference-score.js"

/**
 * Criterion `tool_parameter_match_v1`, which computes the fraction of expected arguments that the
 * actual tool calls of each turn contain.
 */
export const toolParameters: CriterionType = {
  options: {},
  read: () => ({
    score: (input) =>
      scoreTurns(input, ({ expectedCalls }, { calls }) => {
        const pairs = pairCalls(expectedCalls, calls)
        return {
          score: meanOf(pairs.map(({ score }) => score)),
          details: pairs.flatMap(({ score, expected, actual }) =>
            score >= 1
              ? []
              : [
                  `expected ${callsText([expected])}, actual ${callsText(actual === null ? [] : [actual])}`,
                ],
          ),
        }
      }),
  }),
}

interface CallPair {
  readonly expected: EvalCall
  readonly actual: EvalCall | null
  readonly score: number
}

/**
 * Pairs each expected tool call with the next actual call of the same tool. The search starts after
 * the previously paired call.
 */
function pairCalls(
  expectedCalls: readonly EvalCall[],
  actualCalls: readonly EvalCall[],
): readonly CallPair[] {
  let next = 0
  return expectedCalls.map((expected) => {
    const index = actualCalls.findIndex(
      ({ name }, position) => position >= next && name === expected.name,
    )
    const actual = actualCalls[index] ?? null
    if (actual === null) return { expected, actual, score: 0 }
    next = index + 1
    const names = Object.keys(expected.args)
    const matching = names.filter(
      (name) =>
        Object.hasOwn(actual.args, name) && sameJson(expected.args[name], actual.args[name]),
    )
    return { expected, actual, score: names.length === 0 ? 1 : matching.length / names.length }
  })
}
