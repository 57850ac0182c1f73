import { choicesProblem } from "../../machines/human/answer-choices.js"
import { AgentStatechartsError } from "../../errors.js"
import type { OnExpiry } from "../../machines/contract/activity.js"
import type { HostRequest } from "../../machines/contract/services.js"
import type { AskOptions } from "./host-function.js"

/** The time until a question of a host function expires, and the consequence. */
export interface QuestionLimits {
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
}

/**
 * Checks the options `expiresIn` and `onExpiry` of a question and returns its limits.
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
 * Checks and returns the choices of a question. The result has no `choices` if the question allows
 * every text.
 */
export function choicesOf(
  { choices }: AskOptions,
  { service }: HostRequest,
): { readonly choices?: readonly string[] } {
  if (choices === undefined) return {}
  // The types are checked at run time, because host functions may be written in JavaScript.
  const problem = choicesProblem(choices)
  if (problem !== null)
    throw new AgentStatechartsError(
      "host_code_failed",
      `choices of a question of "${service}" ${problem}`,
    )
  return { choices: [...choices] }
}
