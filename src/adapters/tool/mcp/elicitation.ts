import type { CallToolResult, ElicitResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { CallFailure } from "../../../machines/contract/services.js"
import { CallFailedError } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { HostContext } from "../../../runtime/host/host-function.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import { SdkError, SdkErrorCode } from "./sdk.js"
import { resultOf } from "./tool-result.js"

/** The response of a server that needs input before it completes a tool call. */
export interface InputRequired {
  readonly inputRequests: JsonObject
  /** State of the server. The next request of the call returns it unchanged. */
  readonly requestState?: string
}

export type McpResponse = { readonly result: CallToolResult } | InputRequired

/** The answers to the requests of a server, with the state that the server sent with them. */
export interface GivenInput {
  readonly inputResponses?: Readonly<Record<string, ElicitResult>>
  readonly requestState?: string
}

/** Sends a tool call, or sends it again with the input that the server requires. */
export type SendCall = (input: GivenInput) => Promise<McpResponse>

/** Returns the requests for input in an error of the MCP client, or null if it has none. */
export function inputRequiredIn(error: unknown): InputRequired | null {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InputRequiredRoundsExceeded)
    return null
  const last = isJsonObject(error.data) ? error.data["lastResult"] : undefined
  if (!isJsonObject(last)) return null
  const { inputRequests, requestState } = last
  return {
    inputRequests: isJsonObject(inputRequests) ? inputRequests : {},
    ...(typeof requestState === "string" && { requestState }),
  }
}

export interface ElicitingTool {
  readonly name: string
  /** Name of the server for the person who answers. */
  readonly server: string
  /** Time until a question of the server expires, in milliseconds. Absent: it never expires. */
  readonly expiresIn?: number
}

/** Maximum number of times that a server can require input during one call. */
const maxRounds = 10

/** Pause before a call is repeated for a server that requires a repetition without input. */
const pauseMs = 250

/**
 * Calls a tool of an MCP server. If the server requires input, opens a request for each of its
 * forms and repeats the call with the answers. From then on, each response is a recorded step. So
 * after a restart, the call continues with the state and the answers that it had.
 *
 * @throws AgentStatechartsError `tool_call_failed` if the server requests anything but a form
 */
export async function callWithForms(
  context: HostContext,
  tool: ElicitingTool,
  send: SendCall,
): Promise<unknown> {
  const { name } = tool
  // The first response is recorded only if it requires input, because most calls need no input.
  // A repeated function has therefore received such a response.
  const first = context.isReplaying ? null : await send({})
  if (first !== null && "result" in first) return resultOf(name, first.result)
  let response = await context.step(`${name}: input required`, () => first ?? send({}))
  for (let round = 1; "inputRequests" in response; round++) {
    if (round > maxRounds)
      throw new AgentStatechartsError(
        "tool_call_failed",
        `the tool "${name}" required input more than ${maxRounds} times during one call`,
      )
    const { inputRequests, requestState } = response
    const inputResponses = await answersTo(context, tool, inputRequests)
    const isRepetition = Object.keys(inputResponses).length === 0
    const input = {
      ...(isRepetition ? {} : { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    }
    const recorded = await context.step(`${name}: response ${round}`, async () => {
      if (isRepetition) await pause()
      return withFailure(send(input))
    })
    if ("failure" in recorded) throw new CallFailedError(recorded.failure)
    response = recorded
  }
  return resultOf(name, response.result)
}

const pause = (): Promise<void> =>
  new Promise((resolve) => void systemClock.wakeAt(systemClock.now() + pauseMs, resolve))

/** Resolves to the failure of a call, so that a step records its code. */
async function withFailure(
  response: Promise<McpResponse>,
): Promise<McpResponse | { readonly failure: CallFailure }> {
  try {
    return await response
  } catch (error) {
    if (error instanceof CallFailedError) return { failure: error.failure }
    throw error
  }
}

interface RequestedForm {
  readonly key: string
  readonly message: string
  readonly schema: JsonObject
}

/** Asks a person to fill in the forms of a server. All requests are checked before the first one. */
async function answersTo(
  { ask }: HostContext,
  { name, server, expiresIn }: ElicitingTool,
  inputRequests: JsonObject,
): Promise<Readonly<Record<string, ElicitResult>>> {
  const forms = Object.entries(inputRequests).map(([key, request]) => formIn(key, request, name))
  const responses: Record<string, ElicitResult> = {}
  for (const { key, message, schema } of forms) {
    const answer = await ask(
      message,
      { server, tool: name },
      {
        answerSchema: { anyOf: [schema, { enum: ["decline", "cancel"] }] },
        ...(expiresIn !== undefined && { expiresIn, onExpiry: "continue" }),
      },
    )
    responses[key] = elicitResult(answer)
  }
  return responses
}

/** Converts an answer to the response to a form. The answer is null if the question has expired. */
function elicitResult(answer: unknown): ElicitResult {
  if (!isJsonObject(answer)) return { action: answer === "decline" ? "decline" : "cancel" }
  // The cast is safe: the answer matches the schema of the form.
  return { action: "accept", content: answer as ElicitResult["content"] }
}

function formIn(key: string, request: unknown, tool: string): RequestedForm {
  const { method, params } = isJsonObject(request) ? request : {}
  const { mode = "form", message, requestedSchema } = isJsonObject(params) ? params : {}
  if (method === "elicitation/create" && mode === "form") {
    if (typeof message === "string" && isJsonObject(requestedSchema)) {
      // The dialect may only be stated at the root of a schema.
      const { $schema: _dialect, ...schema } = requestedSchema
      return { key, message, schema }
    }
  }
  const what = method === "elicitation/create" ? `${method} (mode ${String(mode)})` : String(method)
  throw new AgentStatechartsError(
    "tool_call_failed",
    `the tool "${tool}" sent the request "${what}", which agent-statecharts does not support; it supports only forms of elicitation/create`,
  )
}
