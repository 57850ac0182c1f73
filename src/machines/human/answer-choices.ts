import type { AnswerChoice } from "../contract/pending-request.js"

/** Returns the form in which answers and choices are compared: without case and outer spaces. */
export const comparedForm = (choice: AnswerChoice): string => String(choice).trim().toLowerCase()

/**
 * Returns the choice that an answer means, as the config declares it. Returns undefined if the
 * answer is none of the choices.
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
