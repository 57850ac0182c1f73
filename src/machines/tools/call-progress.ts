import { reportPaused } from "../requests/report-paused.js"
import { requestIdOf } from "../contract/machine-event.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { Hooks } from "../contract/agent-definition.js"
import type { HostChanges } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import type { HookListInput } from "../host-functions/hook-list.js"
import type { HookUse } from "../contract/hook-use.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import { locationOf, toolCallPath } from "../model-call/llm-agent-context.js"
import { isJsonObject } from "../data/json-object.js"
import { wrapResult } from "./long-running.js"
import { patchOf } from "../data/session-state.js"
import type { Step } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { finished } from "../model-call/tool-call-proposal.js"
import { calledTool } from "../model-call/turn-tools.js"

type Context = LlmAgentContext

/** The result of a tool call in the form that callbacks and the model receive. */
export interface CallResult {
  readonly response: JsonObject
  readonly error: string | null
  /** Set if a policy denied the call. The error then does not count as a failure of the tool. */
  readonly isDenied?: true
  /** The value that the tool returned. Absent if it is equal to `response`. */
  readonly value?: unknown
}

export const resultOf = (value: unknown, dialect: AgentChart["dialect"]): CallResult => ({
  response: wrapResult(value, dialect),
  error: null,
  ...(!isJsonObject(value) && { value: value ?? null }),
})

export const failedCall = (error: string): CallResult => ({ response: { error }, error })

/**
 * Passes the result of a tool call to the error callbacks, then to the `afterTool` callbacks, and
 * then to the model (docs/semantics.md#callbacks). If callbacks must run, starts them. Otherwise,
 * finishes the call.
 */
export function settleCall(
  context: Context,
  index: number,
  call: OpenCall,
  result: CallResult,
  step: Step,
): void {
  const hooks: Hooks = context.definition.adk?.hooks ?? {}
  const completed: OpenCall = { ...call, result }
  if (result.error !== null && call.stage === "call" && hooks.onToolError !== undefined) {
    askHooks(
      context,
      index,
      { ...completed, stage: "onToolError" },
      hooks.onToolError,
      { error: result.error },
      step,
    )
  } else if (call.stage !== "afterTool" && hooks.afterTool !== undefined) {
    askHooks(
      context,
      index,
      { ...completed, stage: "afterTool" },
      hooks.afterTool,
      { response: result.response, ...("value" in result && { value: result.value }) },
      step,
    )
  } else finishCall(context, index, call, result, step)
}

/**
 * Starts the callbacks of the current stage of a tool call, such as `beforeTool`. They run in a
 * child actor.
 */
export function askHooks(
  context: Context,
  index: number,
  call: OpenCall,
  services: readonly HookUse[],
  details: JsonObject,
  step: Step,
): void {
  const { runId, agent, branch, iteration } = context.input
  const input: HookListInput = {
    runId,
    agent,
    branch,
    path: `${toolCallPath(context, call, index)}/${call.stage}#${context.calls - 1}`,
    services,
    input: { hook: call.stage, tool: call.tool, args: call.args, callId: call.id, ...details },
    state: context.state,
    iteration,
    toolCall: { id: call.id, tool: call.tool },
    at: context.at,
  }
  replaceCall(context, index, { ...call, status: "running" })
  step.start(`tool.${index}`, "hookList", input)
}

function finishCall(
  context: Context,
  index: number,
  call: OpenCall,
  { response, error, isDenied }: CallResult,
  step: Step,
): void {
  const definition = calledTool(context, call.tool, step.chart)
  const outputKey = definition?.type === "HttpTool" && error === null ? definition.outputKey : null
  context.open = context.open - 1
  const finalText =
    call.skipsSummarization && error === null
      ? (call.finalText ?? textOfResponse(response))
      : call.finalText
  const transfersTo = error === null ? call.transfersTo : null
  recordFinishedCall(
    context,
    index,
    finished(
      { ...call, finalText, transfersTo },
      response,
      outputKey === null ? {} : { set: { ...call.set, [outputKey]: response } },
    ),
    step,
    isDenied === true ? null : error,
  )
}

/**
 * Returns the result of a tool as the final text of a turn. Returns the text of a result such as
 * `{ result: "text" }`, and the JSON of any other result.
 */
function textOfResponse(response: JsonObject): string {
  const [only, ...others] = Object.entries(response)
  const isWrapped =
    only !== undefined &&
    others.length === 0 &&
    (only[0] === "result" || only[0] === "output") &&
    typeof only[1] === "string"
  return isWrapped ? String(only[1]) : JSON.stringify(response)
}

/**
 * Returns a copy of a tool call with additional state changes. The state changes of all calls are
 * applied in call order after all calls have finished.
 */
export function withChanges(call: OpenCall, changed: readonly HostChanges[]): OpenCall {
  let { set, removed } = call
  for (const change of changed) {
    set = { ...set, ...change.set }
    removed = [...removed.filter((key) => !Object.hasOwn(change.set, key)), ...change.removed]
  }
  return { ...call, set, removed }
}

export function emitCallAnswered(
  context: Context,
  event: MachineEvent,
  answer: JsonObject,
  step: Step,
): void {
  step.emit({
    type: "human.answered",
    id: requestIdOf(event),
    answer,
    ...locationOf(context.input),
  })
}

export function emitToolFinished(
  context: Context,
  call: OpenCall,
  step: Step,
  error: string | null = null,
): void {
  step.emit({
    type: "tool.finished",
    callId: call.id,
    tool: call.tool,
    response: call.response ?? {},
    ...(error !== null && { error }),
    ...locationOf(context.input),
  })
}

/**
 * Stores the result of a finished tool call and emits `tool.finished`. `error` is the error message
 * if the call failed.
 */
export function recordFinishedCall(
  context: Context,
  index: number,
  closed: OpenCall,
  step: Step,
  error: string | null = null,
): void {
  replaceCall(context, index, closed)
  emitToolFinished(context, closed, step, error)
}

export const replaceCall = (context: Context, index: number, call: OpenCall): void => {
  context.toolCalls = context.toolCalls.with(index, call)
}

/**
 * Notifies the parent machine when every unfinished tool call waits for a person or a long-running
 * tool. Notifies it again when one of these calls no longer waits.
 */
export function reportCallsPaused(context: Context, step: Step): void {
  const paused =
    context.open > 0 &&
    context.toolCalls.every(
      (call) => call.status === "waiting" || call.status === "paused" || call.status === "finished",
    )
  reportPaused(context, paused, step, paused ? patchOf(context.state) : undefined)
}
