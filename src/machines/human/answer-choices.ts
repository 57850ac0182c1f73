import { isList } from "../data/json-object.js"
import type { AnswerChoice } from "../contract/pending-request.js"

/**
 * Returns an answer or a choice as text in lower case without surrounding spaces. Two values with
 * the same form are treated as equal.
 */
export const comparedForm = (choice: AnswerChoice): string => String(choice).trim().toLowerCase()

/**
 * Returns the choice that is equal to a person's answer, ignoring case and surrounding spaces.
 * Returns undefined if there is none.
 */
export function chosenFrom(
  choices: readonly AnswerChoice[],
  answer: unknown,
): AnswerChoice | undefined {
  if (typeof answer !== "string" && typeof answer !== "number" && typeof answer !== "boolean")
    return undefined
  const wanted = comparedForm(answer)
  return choices.find((choice) => comparedForm(choice) === wanted)
}

/**
 * Validates the choices of a question that a host function asks. They must be a list of one or more
 * texts that are not empty. No two of them may be equal when case and surrounding spaces are
 * ignored. Returns an error message, or null if the choices are valid.
 */
export function choicesProblem(choices: unknown): string | null {
  if (!isList(choices) || choices.length === 0) return "must be a list of one or more texts"
  const known = new Set<string>()
  for (const choice of choices) {
    if (typeof choice !== "string" || choice.trim() === "")
      return "must be texts that are not empty"
    const form = comparedForm(choice)
    if (known.has(form)) return `contain the answer "${choice}" twice`
    known.add(form)
  }
  return null
}
