import { isJsonObject } from "../../machines/data/json-object.js"
import type { FunctionCall } from "../events/content.js"
import type { ToolConfirmation } from "../events/event-actions.js"

/** What a person is shown of a call that asks for a confirmation, as the details of a pending request. */
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

/** The answer as a run keeps it. */
export const confirmationText = (response: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    confirmed: response["confirmed"] === true,
    ...(response["payload"] !== undefined && { payload: response["payload"] }),
  })

/** What a person answered; any other text than `yes` and a confirmation of ADK's form is a refusal. */
export function confirmationFrom(
  reply: unknown,
  { hint, payload }: ToolConfirmation,
): ToolConfirmation {
  const given = read(reply)
  return {
    ...(hint !== undefined && { hint }),
    confirmed: given["confirmed"] === true,
    payload: given["payload"] ?? payload,
  }
}

function read(reply: unknown): Readonly<Record<string, unknown>> {
  if (isJsonObject(reply)) return reply
  if (typeof reply !== "string") return {}
  if (reply.trim().toLowerCase() === "yes") return { confirmed: true }
  try {
    const value: unknown = JSON.parse(reply)
    return isJsonObject(value) ? value : {}
  } catch {
    // Free text is no confirmation.
    return {}
  }
}
