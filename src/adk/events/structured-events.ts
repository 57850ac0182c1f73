import type { FunctionCall, FunctionResponse, Part } from "./content.js"
import type { Event } from "./event.js"
import { isFinalResponse } from "./event.js"

/** One entry of the result of `toStructuredEvents`, such as a text or a tool call. */
export type StructuredEvent =
  | { readonly type: "thought" | "content"; readonly content: string }
  | { readonly type: "tool_call"; readonly call: FunctionCall }
  | { readonly type: "tool_result"; readonly result: FunctionResponse }
  | { readonly type: "call_code"; readonly code: object }
  | { readonly type: "code_result"; readonly result: object }
  | { readonly type: "error"; readonly error: Error }
  | {
      readonly type: "tool_confirmation"
      readonly confirmations: Event["actions"]["requestedToolConfirmations"]
    }
  | { readonly type: "finished"; readonly output?: unknown }

/**
 * A part of an event that a program has created, for example with `createEvent`. Events of runs
 * never have the fields that this type adds.
 */
interface AnyPart extends Part {
  readonly thought?: boolean
  readonly executableCode?: object
  readonly codeExecutionResult?: object
}

/**
 * Splits an event into its texts, tool calls, tool results and requested confirmations, in order.
 * For a final response, the last entry is `finished`. For an event with an error code, the only
 * entry is `error`.
 */
export function toStructuredEvents(event: Event): StructuredEvent[] {
  const { errorCode, errorMessage, content, actions } = event
  if (errorCode !== undefined && errorCode !== "")
    return [{ type: "error", error: new Error(errorMessage || errorCode) }]
  const confirmations = actions.requestedToolConfirmations
  return [
    ...(content?.parts ?? []).flatMap(structuredPart),
    ...(isFilled(confirmations) ? [{ type: "tool_confirmation" as const, confirmations }] : []),
    ...(isFinalResponse(event) ? [{ type: "finished" as const }] : []),
  ]
}

function structuredPart(part: AnyPart): readonly StructuredEvent[] {
  const { functionCall, functionResponse, executableCode, codeExecutionResult, text } = part
  if (isFilled(functionCall)) return [{ type: "tool_call", call: functionCall }]
  if (isFilled(functionResponse)) return [{ type: "tool_result", result: functionResponse }]
  if (isFilled(executableCode)) return [{ type: "call_code", code: executableCode }]
  if (isFilled(codeExecutionResult)) return [{ type: "code_result", result: codeExecutionResult }]
  if (text === undefined || text === "") return []
  return [{ type: part.thought === true ? "thought" : "content", content: text }]
}

const isFilled = <Value extends object>(value: Value | undefined): value is Value =>
  value !== undefined && Object.keys(value).length > 0
