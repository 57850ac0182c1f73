import { isJsonObject } from "../../machines/data/json-object.js"
import type { FunctionCall } from "../events/content.js"
import type { Event } from "../events/event.js"
import { getFunctionCalls, getFunctionResponses } from "../events/event.js"
import {
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
} from "./request-event.js"

export type UserInputKind = "input" | "confirmation"

/** A request to a person. An event contains it as a function call. */
export interface UserInputRequest {
  readonly kind: UserInputKind
  /** Id of the request. Answer the request with a `functionResponse` that has this id. */
  readonly interruptId: string
  readonly functionCallName: string
  readonly author?: string
  readonly message?: string
  readonly payload?: unknown
  readonly responseSchema?: unknown
  /** Name of the tool whose call needs a confirmation. Set only for confirmations. */
  readonly toolName?: string
}

/** Returns the requests to people in an event, such as questions and confirmations. */
export function getUserInputRequests(event: Event): UserInputRequest[] {
  const longRunning = new Set(event.longRunningToolIds)
  return getFunctionCalls(event).flatMap((call) =>
    call.id !== undefined && longRunning.has(call.id) ? requestOf(call, call.id, event) : [],
  )
}

/** Returns whether an event contains at least one request to a person. */
export const requiresUserInput = (event: Event): boolean => getUserInputRequests(event).length > 0

/** Returns the requests in the events of a session that have no answer yet, oldest first. */
export function getPendingUserInputRequests(events: readonly Event[]): UserInputRequest[] {
  const answered = new Set(
    events.flatMap((event) => getFunctionResponses(event).map(({ id }) => id)),
  )
  return events
    .flatMap(getUserInputRequests)
    .filter(({ interruptId }) => !answered.has(interruptId))
}

function requestOf(
  { name = "", args = {} }: FunctionCall,
  id: string,
  { author }: Event,
): readonly UserInputRequest[] {
  const common = { interruptId: id, functionCallName: name, author }
  if (name === REQUEST_INPUT_FUNCTION_CALL_NAME) {
    const { message, payload, details, response_schema: schema } = args
    const shown = payload ?? details
    return [
      {
        ...common,
        kind: "input",
        ...(typeof message === "string" && { message }),
        ...(shown !== undefined && shown !== null && { payload: shown }),
        ...(schema !== undefined && schema !== null && { responseSchema: schema }),
      },
    ]
  }
  if (name !== REQUEST_CONFIRMATION_FUNCTION_CALL_NAME) return []
  const { originalFunctionCall: call, toolConfirmation: confirmation } = args
  const hint = isJsonObject(confirmation) ? confirmation["hint"] : undefined
  const toolName = isJsonObject(call) ? call["name"] : undefined
  return [
    {
      ...common,
      kind: "confirmation",
      ...(typeof hint === "string" && { message: hint }),
      ...(typeof toolName === "string" && { toolName }),
    },
  ]
}
