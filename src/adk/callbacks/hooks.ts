import { AgentStatechartsError } from "../../errors.js"
import type { CallFailure, ModelAnswer } from "../../machines/contract/services.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { Content } from "../events/content.js"
import { textOf } from "../events/content.js"
import type { ProgramBuilder, ProgramParts } from "../description/program-builder.js"
import type { BaseTool } from "../tools/base-tool.js"
import { Context } from "../context/context.js"
import { applyActions } from "../context/apply-actions.js"
import type { LlmRequest, LlmResponse, HookRequest } from "./llm-request.js"
import { changedRequest, llmRequest, llmResponse, rawAnswer } from "./llm-request.js"

type CallbackResult<Value> = Value | undefined | void | Promise<Value | undefined | void>

/**
 * The result of a tool call, or the result that a callback returns to replace it. As in ADK,
 * callbacks can also receive a result that is not an object, although this type does not allow it.
 */
export type ToolResponse = Record<string, unknown>

/**
 * The tool call that a callback receives. A callback that runs before the call can change `args`.
 */
export interface ToolCall {
  readonly tool: BaseTool
  readonly args: Record<string, unknown>
  readonly context: Context
}

/** Looks up a tool of the agent tree by its name. */
type ToolLookup = Pick<ProgramParts<never, BaseTool>, "toolNamed">

interface HookToolCall {
  readonly tool: string
  readonly args: Record<string, unknown>
}

/**
 * Wraps an ADK callback as a host function, which is a function that the run calls by name. The
 * host function calls the callback, applies the actions that the callback requested, and converts
 * its result. If the callback returns nothing, the host function returns undefined and the turn
 * continues.
 */
function hook<Input, Value>(
  call: (context: Context, input: Input) => CallbackResult<Value>,
  convert: (value: Value) => unknown,
): HostFunction {
  return async (host: HostContext, hookInput) => {
    // The machine `hookList` creates the input of every hook
    // (`machines/host-functions/hook-list.ts`).
    const input = hookInput as Input
    const context = new Context(host)
    const value = await call(context, input)
    applyActions(context.actions, host)
    return value === undefined || value === null ? undefined : convert(value)
  }
}

export const agentHook = (call: (context: Context) => CallbackResult<Content>): HostFunction =>
  hook(call, (content: Content) => ({ content: textOf(content) ?? "" }))

export const beforeModelHook = (
  call: (context: Context, request: LlmRequest) => CallbackResult<LlmResponse>,
): HostFunction =>
  hook(
    async (context, { request: before }: { readonly request: HookRequest }) => {
      const request = llmRequest(before)
      const response = await call(context, request)
      if (response !== undefined && response !== null) return rawAnswer(response)
      const changed = changedRequest(before, request)
      return changed === null ? undefined : { request: changed }
    },
    (result: unknown) => result,
  )

export const afterModelHook = (
  call: (context: Context, response: LlmResponse) => CallbackResult<LlmResponse>,
): HostFunction =>
  hook(
    (context, { answer }: { readonly answer: ModelAnswer }) => call(context, llmResponse(answer)),
    rawAnswer,
  )

export const modelErrorHook = (
  call: (context: Context, request: LlmRequest, error: Error) => CallbackResult<LlmResponse>,
): HostFunction =>
  hook(
    (
      context,
      { error, request }: { readonly error: CallFailure; readonly request?: HookRequest },
    ) =>
      call(
        context,
        llmRequest(request ?? { messages: [], tools: [], model: null }),
        new AgentStatechartsError(error.code, error.message),
      ),
    rawAnswer,
  )

/**
 * Returns an object unchanged, and any other value as `{ result: value }`. Results of tools have
 * the same form.
 */
const asResponse = (value: unknown): unknown => (isJsonObject(value) ? value : { result: value })

const callOf = (parts: ToolLookup, context: Context, { tool, args }: HookToolCall): ToolCall => ({
  tool: parts.toolNamed(tool),
  args,
  context,
})

export const beforeToolHook = (
  parts: ToolLookup,
  call: (called: ToolCall) => CallbackResult<ToolResponse>,
): HostFunction =>
  hook((context, input: HookToolCall) => call(callOf(parts, context, input)), asResponse)

export const afterToolHook = (
  parts: ToolLookup,
  call: (called: ToolCall & { readonly response: ToolResponse }) => CallbackResult<ToolResponse>,
): HostFunction =>
  hook(
    (
      context,
      input: HookToolCall & { readonly response: ToolResponse; readonly value?: unknown },
    ) => {
      // ADK's type is an object, but ADK passes any value that the tool returned.
      const response = "value" in input ? (input.value as ToolResponse) : input.response
      return call({ ...callOf(parts, context, input), response })
    },
    asResponse,
  )

export const toolErrorHook = (
  parts: ToolLookup,
  call: (called: ToolCall & { readonly error: Error }) => CallbackResult<ToolResponse>,
): HostFunction =>
  hook(
    (context, input: HookToolCall & { readonly error: string }) =>
      call({
        ...callOf(parts, context, input),
        error: new AgentStatechartsError("tool_call_failed", input.error),
      }),
    asResponse,
  )

/**
 * Registers callbacks as host functions and returns a config field that contains their names. The
 * names are, for example, `writer.beforeModelCallback` and `writer.beforeModelCallback.2`. If you
 * add a callback, the name of the first callback does not change.
 */
export function callbackField(
  program: ProgramBuilder,
  owner: string,
  field: string,
  callbacks: readonly HostFunction[],
): Record<string, unknown> {
  if (callbacks.length === 0) return {}
  const names = callbacks.map((callback, index) =>
    program.service(`${owner}.${field}${index === 0 ? "" : `.${index + 1}`}`, callback),
  )
  return { [field]: names.length === 1 ? names[0] : names }
}
