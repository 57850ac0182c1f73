import { sameJson } from "../../runtime/history/equal-json.js"
import type { EvalCall } from "../eval-set/eval-set.js"
import { fieldOf, isMissing, type LocatedValue } from "../reading/located-value.js"
import type { MistakeList } from "../reading/problem.js"
import { callsText } from "./call-text.js"
import type { CriterionType } from "./criterion.js"
import { readFlag } from "./option-values.js"
import { scoreTurns } from "./reference-score.js"

const matchTypes = ["EXACT", "IN_ORDER", "ANY_ORDER"] as const
type MatchType = (typeof matchTypes)[number]

/**
 * Returns a regular expression as text, which matches a word in upper and lower case. Used as a
 * pattern in a JSON Schema.
 */
const inAnyCase = (word: string): string =>
  word.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`)

/**
 * Criterion `tool_trajectory_avg_score`, which compares the tool calls of each turn with the
 * expected calls.
 */
export const trajectory: CriterionType = {
  options: {
    match_type: {
      description: "How the calls of a turn are compared. Default: EXACT.",
      anyOf: [
        { enum: [...matchTypes, ...matchTypes.keys()] },
        { type: "string", pattern: `^(${matchTypes.map(inAnyCase).join("|")})$` },
      ],
    },
    ignore_args: { description: "Compare only the names of the tools.", type: "boolean" },
  },
  ignoresOtherOptions: true,
  read(criterion) {
    const { options, mistakes } = criterion
    const matchType = readMatchType(fieldOf(options, "match_type"), mistakes)
    const matches = readFlag(fieldOf(options, "ignore_args"), criterion) ? sameName : sameCall
    return {
      score: (input) =>
        scoreTurns(input, ({ expectedCalls }, { calls }) => {
          const expected = expectedCalls.filter(({ name }) => !name.startsWith("adk_request_"))
          return isMatch(matchType, expected, calls, matches)
            ? { score: 1, details: [] }
            : {
                score: 0,
                details: [`expected ${callsText(expected)}, actual ${callsText(calls)}`],
              }
        }),
    }
  },
}

type CallMatch = (expected: EvalCall, actual: EvalCall) => boolean

const sameName: CallMatch = (expected, actual) => expected.name === actual.name

const sameCall: CallMatch = (expected, actual) =>
  sameName(expected, actual) && sameJson(expected.args, actual.args)

function readMatchType(located: LocatedValue, mistakes: MistakeList): MatchType {
  const { value, pointer } = located
  if (isMissing(located)) return "EXACT"
  const found =
    typeof value === "string"
      ? matchTypes.find((name) => name === value.toUpperCase())
      : typeof value === "number"
        ? matchTypes[value]
        : undefined
  if (found !== undefined) return found
  mistakes.add(
    "criterion_invalid",
    pointer,
    `${JSON.stringify(value)} is not a match type`,
    `Write ${matchTypes.map((name, index) => `${name} (or ${index})`).join(", ")}.`,
  )
  return "EXACT"
}

function isMatch(
  type: MatchType,
  expected: readonly EvalCall[],
  actual: readonly EvalCall[],
  matches: CallMatch,
): boolean {
  switch (type) {
    case "EXACT":
      return (
        expected.length === actual.length &&
        expected.every((call, index) => {
          const other = actual[index]
          return other !== undefined && matches(call, other)
        })
      )
    case "IN_ORDER": {
      let next = 0
      for (const call of actual) {
        const wanted = expected[next]
        if (wanted !== undefined && matches(wanted, call)) next++
      }
      return next === expected.length
    }
    case "ANY_ORDER": {
      const left = [...actual]
      return expected.every((call) => {
        const found = left.findIndex((other) => matches(call, other))
        if (found !== -1) left.splice(found, 1)
        return found !== -1
      })
    }
  }
}
