import type { ToolArguments, ModelAnswer } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"

/**
 * Returns the tool calls that a model response contains. A call without an id gets an id such as
 * `call_0_1`, which contains the number of the model call. The id is unique and does not change
 * after a restart.
 */
export function proposeCalls(context: LlmAgentContext, answer: ModelAnswer): readonly OpenCall[] {
  return answer.toolCalls.map((call, index) => ({
    id: call.id ?? `call_${context.calls - 1}_${index}`,
    tool: call.name,
    args: call.args,
    status: "running",
    attempt: 1,
    startedAt: context.at,
    response: null,
    set: {},
    removed: [],
    finalText: null,
    skipsSummarization: false,
    transfersTo: null,
    request: null,
    grantedSecret: null,
    isConfirmed: false,
    stage: "call",
    isJudged: false,
    objection: null,
    haveHooksRun: false,
    result: null,
    limit: null,
  }))
}

/**
 * Returns the tool calls with the arguments that a person edited. For a single call, `edited`
 * contains its arguments. For several calls, `edited` contains the arguments by call id.
 */
export function withEditedArguments(
  calls: readonly OpenCall[],
  edited: Readonly<Record<string, unknown>>,
): readonly OpenCall[] {
  if (calls.length === 1) return calls.map((call) => ({ ...call, args: edited }))
  return calls.map((call) =>
    Object.hasOwn(edited, call.id) ? { ...call, args: edited[call.id] as ToolArguments } : call,
  )
}

export const rejectCall = (call: OpenCall, reason: string | null): OpenCall =>
  finished(call, rejectionOf(reason))

/** Returns the tool result that the model receives after a person rejected its tool call. */
export const rejectionOf = (reason: string | null): JsonObject => ({
  error:
    reason === null || reason === "" ? "rejected by a person" : `rejected by a person: ${reason}`,
})

export const finished = (
  call: OpenCall,
  response: OpenCall["response"],
  changes: Partial<OpenCall> = {},
): OpenCall => ({
  ...call,
  status: "finished",
  response,
  request: null,
  result: null,
  ...changes,
})
