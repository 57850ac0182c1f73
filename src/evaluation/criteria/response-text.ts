import { thrownMessage } from "../../errors.js"
import { fieldOf } from "../reading/located-value.js"
import { meanOf } from "../statistics/mean.js"
import { shownText } from "./call-text.js"
import type { CriterionInput, CriterionType } from "./criterion.js"
import {
  readFlag,
  readNumber,
  readTexts,
  readWholeNumber,
  texts,
  wholeNumber,
} from "./option-values.js"
import { type CriterionEntry, scoreEntries } from "./reference-score.js"

/** Checks the text of a turn against one rule of the criterion, for example `max_words`. */
type TextRule = (text: string) => CriterionEntry

/** Criterion `response_text_v1`, which checks the final texts of turns against rules. */
export const responseText: CriterionType = {
  options: {
    contains: { description: "Texts that the response must contain.", ...texts },
    not_contains: { description: "Texts that the response must not contain.", ...texts },
    matches: { description: "Regular expressions that the response must match.", ...texts },
    max_words: { description: "Maximum number of words.", ...wholeNumber },
    invocation: {
      description: "Index of the only turn that is checked. A negative index counts from the end.",
      type: "integer",
    },
    case_sensitive: { description: "Distinguish upper and lower case.", type: "boolean" },
  },
  read(input) {
    const rules = readRules(input)
    const only = readNumber(
      fieldOf(input.options, "invocation"),
      input,
      "a whole number: the index of a turn, or a negative number that counts from the end",
      Number.isInteger,
    )
    return {
      score({ evalCase: { turns }, run }) {
        const selected = only === null || only >= 0 ? only : turns.length + only
        const scores = turns.map((_, index) =>
          selected !== null && index !== selected
            ? { score: null, details: [] }
            : scoreEntries(rules.map((rule) => rule(run.turns[index]?.text ?? ""))),
        )
        return {
          score: meanOf(scores.map(({ score }) => score)),
          perTurn: scores.map(({ score }) => score),
          details: scores.flatMap(({ details }, index) =>
            details.map((line) => `turn ${index + 1}: ${line}`),
          ),
        }
      },
    }
  },
}

function readRules(input: CriterionInput): readonly TextRule[] {
  const { options } = input
  const isExact = readFlag(fieldOf(options, "case_sensitive"), input)
  const fold = (text: string): string => (isExact ? text : text.toLowerCase())
  const includes = (text: string, part: string): boolean => fold(text).includes(fold(part))
  const maxWords = readWholeNumber(fieldOf(options, "max_words"), input)
  return [
    ...readTexts(fieldOf(options, "contains"), input).map(({ text: part }): TextRule => (text) => ({
      isSatisfied: includes(text, part),
      text: `does not contain ${JSON.stringify(part)}: “${shownText(text)}”`,
    })),
    ...readTexts(fieldOf(options, "not_contains"), input).map(
      ({ text: part }): TextRule =>
        (text) => ({
          isSatisfied: !includes(text, part),
          text: `contains ${JSON.stringify(part)}: “${shownText(text)}”`,
        }),
    ),
    ...readPatterns(input),
    ...(maxWords === null
      ? []
      : [
          (text: string): CriterionEntry => {
            const words = text.split(/\s+/u).filter((word) => word !== "").length
            return {
              isSatisfied: words <= maxWords,
              text: `has ${words} words, but may have at most ${maxWords}: “${shownText(text)}”`,
            }
          },
        ]),
  ]
}

const readPatterns = (input: CriterionInput): readonly TextRule[] =>
  readTexts(fieldOf(input.options, "matches"), input).flatMap(
    ({ text: source, pointer }): readonly TextRule[] => {
      try {
        const pattern = new RegExp(source, "u")
        return [
          (text) => ({
            isSatisfied: pattern.test(text),
            text: `does not match /${source}/: “${shownText(text)}”`,
          }),
        ]
      } catch (error) {
        input.mistakes.add(
          "criterion_invalid",
          pointer,
          `the pattern does not compile: ${thrownMessage(error)}`,
          "Write a regular expression of JavaScript, such as ^Order \\d+.",
        )
        return []
      }
    },
  )
