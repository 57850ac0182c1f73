import { isJsonObject } from "../../machines/data/json-object.js"
import type { FunctionCall } from "../events/content.js"
import { ToolConfirmation } from "../events/event-actions.js"

/** Details of a pending request in which a tool asks a person to confirm the tool call. */
export interface ConfirmationDetails {
  readonly originalFunctionCall: FunctionCall
  readonly toolConfirmation: ToolConfirmation
}

export const confirmationDetails = (
  originalFunctionCall: FunctionCall,
  toolConfirmation: ToolConfirmation,
): ConfirmationDetails => ({ originalFunctionCall, toolConfirmation })

export const isConfirmation = (details: unknown): details is ConfirmationDetails =>
  isJsonObject(details) &&
  isJsonObject(details["originalFunctionCall"]) &&
  isJsonObject(details["toolConfirmation"])

/**
 * Converts a person's confirmation to JSON text, such as `{"confirmed":true}`. The run stores the
 * confirmation in this format.
 */
export const confirmationText = (response: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    confirmed: response["confirmed"] === true,
    ...(response["payload"] !== undefined && { payload: response["payload"] }),
  })

/**
 * Parses a person's answer as a confirmation. The answers `yes` and `{ confirmed: true }` confirm
 * the call. Every other answer rejects it.
 */
export function confirmationFrom(
  reply: unknown,
  { hint, payload }: ToolConfirmation,
): ToolConfirmation {
  const answer = parseReply(reply)
  return new ToolConfirmation({
    hint,
    confirmed: answer["confirmed"] === true,
    payload: answer["payload"] ?? payload,
  })
}

function parseReply(reply: unknown): Readonly<Record<string, unknown>> {
  if (isJsonObject(reply)) return reply
  if (typeof reply !== "string") return {}
  if (reply.trim().toLowerCase() === "yes") return { confirmed: true }
  try {
    const value: unknown = JSON.parse(reply)
    return isJsonObject(value) ? value : {}
  } catch {
    // A text that is not JSON does not confirm the call.
    return {}
  }
}
