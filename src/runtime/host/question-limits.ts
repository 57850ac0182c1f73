import { choicesProblem } from "../../machines/human/answer-choices.js"
import { AgentStatechartsError } from "../../errors.js"
import type { OnExpiry } from "../../machines/contract/activity.js"
import type { HostRequest } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { AskOptions } from "./host-function.js"
import { toJson } from "./host-json.js"

/**
 * The time until a question that a host function asks a person expires, and the effect of the
 * expiry.
 */
export interface QuestionLimits {
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
}

/**
 * Validates the options `expiresIn` and `onExpiry` of a question. Returns the validated limits, or
 * an empty object if the question never expires.
 *
 * @throws AgentStatechartsError `host_code_failed` if an option is invalid.
 */
export function limitsOf(
  { expiresIn, onExpiry }: AskOptions,
  { service }: HostRequest,
): QuestionLimits {
  if (expiresIn === undefined) return {}
  if (!Number.isFinite(expiresIn) || expiresIn <= 0)
    throw new AgentStatechartsError(
      "host_code_failed",
      `expiresIn of a question of "${service}" must be a number of milliseconds greater than 0, not ${String(expiresIn)}`,
    )
  if (onExpiry !== undefined && !["reject", "fail", "continue"].includes(onExpiry))
    throw new AgentStatechartsError(
      "host_code_failed",
      `onExpiry of a question of "${service}" must be "reject", "fail" or "continue", not "${String(onExpiry)}"`,
    )
  return { expiresInMs: Math.ceil(expiresIn), ...(onExpiry !== undefined && { onExpiry }) }
}

/**
 * The answers that are accepted for a question that a host function asks. If `choices` and
 * `answerSchema` are missing, every text is accepted. `isConsent` is true if the question asks for
 * an authorization.
 */
export interface AllowedAnswers {
  readonly choices?: readonly string[]
  readonly answerSchema?: JsonObject
  readonly isConsent?: true
}

const secretSchema = {
  type: "object",
  properties: { secret: { type: "string" } },
  required: ["secret"],
}

/**
 * Validates the options that restrict the answers of a question, and returns the choices or the
 * schema. Returns an empty object if every text is accepted.
 *
 * @throws AgentStatechartsError `host_code_failed` if an option is invalid.
 */
export function answersOf(
  { choices, answerSchema, auth }: AskOptions,
  { service }: HostRequest,
): AllowedAnswers {
  if (auth !== undefined) {
    if (choices === undefined && answerSchema === undefined)
      return { answerSchema: secretSchema, isConsent: true }
    throw new AgentStatechartsError(
      "host_code_failed",
      `auth of a question of "${service}" cannot be combined with choices or answerSchema`,
    )
  }
  // The types are checked at run time, because host functions may be written in JavaScript.
  if (answerSchema !== undefined) {
    const schema = toJson(answerSchema, `the answerSchema of a question of "${service}"`)
    if (isJsonObject(schema) && choices === undefined) return { answerSchema: schema }
    throw new AgentStatechartsError(
      "host_code_failed",
      `the answerSchema of a question of "${service}" ${isJsonObject(schema) ? "cannot be combined with choices" : "must be a JSON Schema object"}`,
    )
  }
  if (choices === undefined) return {}
  const problem = choicesProblem(choices)
  if (problem !== null)
    throw new AgentStatechartsError(
      "host_code_failed",
      `choices of a question of "${service}" ${problem}`,
    )
  return { choices: [...choices] }
}
