import { AgentStatechartsError } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { AnswerChoice, PendingRequest } from "../../machines/contract/pending-request.js"
import { chosenFrom } from "../../machines/human/answer-choices.js"
import { jsonValidator } from "../validation/json-validator.js"

const refuse = (message: string): never => {
  throw new AgentStatechartsError("input_refused", message)
}

/** Maximum number of characters of an answer that an error message quotes. */
const maxQuoted = 200

/**
 * Returns the choice that an answer selects (docs/semantics.md#pending-requests). Upper and lower
 * case and surrounding spaces are ignored. Returns null if the request has no choices.
 *
 * @throws AgentStatechartsError `input_refused` with the choices if the answer is none of them
 */
export function choiceFrom({ id, choices }: PendingRequest, answer: unknown): AnswerChoice | null {
  if (choices === undefined) return null
  const choice = chosenFrom(choices, answer)
  if (choice !== undefined) return choice
  const allowed = choices.map((each) => JSON.stringify(each)).join(", ")
  const text = JSON.stringify(answer)
  const given = text.length > maxQuoted ? `${text.slice(0, maxQuoted)}...` : text
  return refuse(`request "${id}" accepts one of these answers: ${allowed}. The answer is ${given}`)
}

/**
 * Checks that edited arguments of a tool call match the parameters schema of the tool.
 *
 * @throws AgentStatechartsError `input_refused` with the violation
 */
export function checkArguments(
  { name, parameters }: NonNullable<PendingRequest["toolCalls"]>[number],
  edited: JsonObject,
): void {
  const violation = parameters === undefined ? null : jsonValidator()(parameters, edited)
  if (violation !== null)
    refuse(`the edited arguments of "${name}" do not match its parameters schema: ${violation}`)
}

/**
 * Checks that an answer matches the schema of its request. Accepts every answer if the request has
 * no schema.
 *
 * @throws AgentStatechartsError `input_refused` with the violation
 */
export function checkSchema({ id, answerSchema }: PendingRequest, answer: unknown): void {
  const violation = answerSchema === undefined ? null : jsonValidator()(answerSchema, answer)
  if (violation !== null)
    refuse(`the answer to the request "${id}" does not match its answerSchema: ${violation}`)
}
