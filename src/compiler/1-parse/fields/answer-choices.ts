import { comparedForm } from "../../../machines/human/answer-choices.js"
import type { AnswerChoice } from "../../../machines/contract/pending-request.js"
import { isHiddenKey } from "../../../machines/data/session-state.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"
import type { Reader } from "./field-table.js"
import { refuseHidden } from "./output-key.js"
import { filledText, list, refuseType } from "./plain-values.js"

/**
 * Parses the answers that a HumanAgent accepts. Reports an error if two of them are equal when case
 * and surrounding spaces are ignored.
 */
export const answerChoices: Reader<readonly AnswerChoice[]> = (value, location) => {
  const entries = filledList(value, location, "which allows no answer", "List the allowed answers")
  if (entries === null) return null
  const known = new Map<string, AnswerChoice>()
  entries.forEach((entry, index) => {
    const choice = answerChoice(entry, fieldOf(location, index))
    if (choice === null) return
    const form = comparedForm(choice)
    const same = known.get(form)
    if (same === undefined) known.set(form, choice)
    else
      report(fieldOf(location, index), {
        code: "bad_value",
        problem: `is ${describeValue(choice)}, which is the same answer as ${describeValue(same)}: answers are compared without case and surrounding spaces`,
        fix: "Remove one of them.",
      })
  })
  return [...known.values()]
}

function answerChoice(value: unknown, location: ParserLocation): AnswerChoice | null {
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return value
  if (typeof value !== "string")
    return refuseType(
      value,
      location,
      "a text, a number or a boolean",
      "an answer in double quotes",
    )
  return value.trim() === ""
    ? report(location, {
        code: "bad_value",
        problem: "is an empty text",
        fix: "Write an answer that a person can choose.",
      })
    : value
}

/**
 * Parses a list of state keys. The values of these keys are shown to the person who answers the
 * request of a HumanAgent.
 */
export const stateKeys: Reader<readonly string[]> = (value, location) =>
  filledList(value, location, "which shows nothing", "List the keys to show")?.flatMap(
    (entry, index) => {
      const key = filledText(entry, fieldOf(location, index))
      if (key === null) return []
      return isHiddenKey(key) ? (refuseHidden(key, fieldOf(location, index)) ?? []) : key
    },
  ) ?? null

function filledList(
  value: unknown,
  location: ParserLocation,
  effect: string,
  fix: string,
): readonly unknown[] | null {
  const entries = list(value, location)
  return entries?.length === 0
    ? report(location, {
        code: "bad_value",
        problem: `is an empty list, ${effect}`,
        fix: `${fix}, or remove the field.`,
      })
    : entries
}
