import type { CallFailure, ModelAnswer } from "../../machines/contract/services.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { Content } from "../events/content.js"
import { textOf } from "../events/content.js"
import type { Description, ProgramParts } from "../description/description.js"
import type { BaseTool } from "../tools/base-tool.js"
import { Context } from "../context/context.js"
import { applyActions } from "../context/apply-actions.js"
import type { LlmRequest, LlmResponse, ToldRequest } from "./llm-request.js"
import { llmRequest, llmResponse, rawAnswer } from "./llm-request.js"

type Answer<Value> = Value | undefined | void | Promise<Value | undefined | void>

/** What a tool has returned, or what a callback returns in its place. As in ADK, a tool that returns no object gives its value as it is. */
export type ToolResponse = Record<string, unknown>

/** A call of a tool as callbacks see it. `args` may be changed before the call. */
export interface ToolCall {
  readonly tool: BaseTool
  readonly args: Record<string, unknown>
  readonly context: Context
}

/** Finds the tools of a program by name. */
type ToolLookup = Pick<ProgramParts<never, BaseTool>, "toolNamed">

interface ToldCall {
  readonly tool: string
  readonly args: Record<string, unknown>
}

/** Calls a callback, carries out what it asked for, and answers in the core's words; `undefined` goes on. */
function hook<Input, Value>(
  call: (context: Context, input: Input) => Answer<Value>,
  answer: (value: Value) => unknown,
): HostFunction {
  return async (host: HostContext, given) => {
    // The input of a hook is what the core's machines make it (`machines/host-functions/hook-list.ts`).
    const input = given as Input
    const context = new Context(host)
    const value = await call(context, input)
    applyActions(context.actions, host)
    return value === undefined || value === null ? undefined : answer(value)
  }
}

export const agentHook = (call: (context: Context) => Answer<Content>): HostFunction =>
  hook(call, (content: Content) => ({ content: textOf(content) ?? "" }))

export const beforeModelHook = (
  call: (context: Context, request: LlmRequest) => Answer<LlmResponse>,
): HostFunction =>
  hook(
    (context, { request }: { readonly request: ToldRequest }) => call(context, llmRequest(request)),
    rawAnswer,
  )

export const afterModelHook = (
  call: (context: Context, response: LlmResponse) => Answer<LlmResponse>,
): HostFunction =>
  hook(
    (context, { answer }: { readonly answer: ModelAnswer }) => call(context, llmResponse(answer)),
    rawAnswer,
  )

export const modelErrorHook = (
  call: (context: Context, request: LlmRequest, error: Error) => Answer<LlmResponse>,
): HostFunction =>
  hook(
    (
      context,
      { error, request }: { readonly error: CallFailure; readonly request?: ToldRequest },
    ) =>
      call(
        context,
        llmRequest(request ?? { messages: [], tools: [], model: null }),
        new Error(error.message),
      ),
    rawAnswer,
  )

/** A response is an object; any other value is wrapped as that of a tool. */
const asResponse = (value: unknown): unknown => (isJsonObject(value) ? value : { result: value })

const callOf = (parts: ToolLookup, context: Context, { tool, args }: ToldCall): ToolCall => ({
  tool: parts.toolNamed(tool),
  args,
  context,
})

export const beforeToolHook = (
  parts: ToolLookup,
  call: (called: ToolCall) => Answer<ToolResponse>,
): HostFunction =>
  hook((context, input: ToldCall) => call(callOf(parts, context, input)), asResponse)

export const afterToolHook = (
  parts: ToolLookup,
  call: (called: ToolCall & { readonly response: ToolResponse }) => Answer<ToolResponse>,
): HostFunction =>
  hook(
    (context, input: ToldCall & { readonly response: ToolResponse; readonly value?: unknown }) => {
      // ADK's type says that it is an object, and ADK passes what the tool has returned.
      const response = "value" in input ? (input.value as ToolResponse) : input.response
      return call({ ...callOf(parts, context, input), response })
    },
    asResponse,
  )

export const toolErrorHook = (
  parts: ToolLookup,
  call: (called: ToolCall & { readonly error: Error }) => Answer<ToolResponse>,
): HostFunction =>
  hook(
    (context, input: ToldCall & { readonly error: string }) =>
      call({ ...callOf(parts, context, input), error: new Error(input.error) }),
    asResponse,
  )

/**
 * A field of the config with the names that callbacks are kept under: `guarded.beforeModelCallback`, and with `.2`, `.3` behind
 * it for those after the first, so that a name stays when another one is added.
 */
export function callbackField(
  into: Description,
  owner: string,
  field: string,
  callbacks: readonly HostFunction[],
): Record<string, unknown> {
  if (callbacks.length === 0) return {}
  const names = callbacks.map((callback, index) =>
    into.service(`${owner}.${field}${index === 0 ? "" : `.${index + 1}`}`, callback),
  )
  return { [field]: names.length === 1 ? names[0] : names }
}
