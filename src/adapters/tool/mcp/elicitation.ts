import type { CallToolResult, ElicitResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { HostContext } from "../../../runtime/host/host-function.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import { askForSecret, type AuthorizationRequired } from "./connection/authorization.js"
import { answersTo, type ElicitingTool } from "./answer-forms.js"
import { emitStatus, followTask, type TaskRequests } from "./follow-task.js"
import type { McpTask } from "./mcp-task.js"
import { orThrow, withFailure } from "./recorded-failure.js"
import { SdkError, SdkErrorCode } from "./connection/sdk.js"
import { taskCanceller } from "./task-canceller.js"
import { resultOf } from "./tool-result.js"

/** The response of an MCP server that needs input from a person before it completes a tool call. */
export interface InputRequired {
  readonly inputRequests: JsonObject
  /** State that the server has sent. The next request of the tool call sends it back unchanged. */
  readonly requestState?: string
}

export type McpResponse =
  | { readonly result: CallToolResult }
  | { readonly task: McpTask }
  | AuthorizationRequired
  | InputRequired

/**
 * The answers to an MCP server's requests for input, and the state that the server has sent with
 * its requests.
 */
export interface InputAnswers {
  readonly inputResponses?: Readonly<Record<string, ElicitResult>>
  readonly requestState?: string
}

/** The MCP server to which a tool call is sent, with the access token for the call. */
export interface CalledServer {
  /**
   * Name of the secret (access token) that a person granted before the call. null if no secret was
   * granted.
   */
  readonly secret: string | null
  /**
   * Sends the tool call. `input` contains the answers to the server's requests for input, if any.
   */
  send(input: InputAnswers, secret: string | null): Promise<McpResponse>
  tasksOf(secret: string | null): TaskRequests
}

/**
 * Returns the server's requests for input that an error of the MCP client contains. Returns null if
 * the error contains no requests.
 */
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

/** Maximum number of times that an MCP server can require input during one tool call. */
const maxRounds = 10

/**
 * Delay in milliseconds before a tool call is repeated if the server requests another attempt but
 * no input.
 */
const pauseMs = 250

/**
 * Calls a tool of an MCP server. If the server requires input, asks a person to fill in the
 * server's forms and repeats the call with the answers. If the server requires an authorization,
 * asks a person for it and repeats the call. If the server creates a task, follows the task until
 * it ends. In these three cases, each response is recorded as a step. After a restart, the call
 * therefore continues with the same state, answers and task.
 *
 * @throws AgentStatechartsError `tool_call_failed` if the server requests anything but a form
 */
export async function callWithForms(
  context: HostContext,
  tool: ElicitingTool,
  called: CalledServer,
): Promise<unknown> {
  const { name, server } = tool
  const { send, tasksOf } = called
  let { secret } = called
  // The first response is recorded only if it is not the result, because most calls need no input.
  // Therefore, if the function is replayed, the first response was recorded, and the call is not
  // sent again here.
  const first = context.isReplaying ? null : await send({}, secret)
  if (first !== null && "result" in first) return resultOf(name, first.result)
  const canceller = taskCanceller(context.signal, (taskId) => tasksOf(secret).cancel(taskId))
  const reported = (received: McpResponse): McpResponse => {
    if ("task" in received) {
      canceller.watch(received.task.taskId)
      emitStatus(context, tool, received.task)
    }
    return received
  }
  let response = await context.step(`${name}: response 0`, async () =>
    reported(first ?? (await send({}, secret))),
  )
  let input: InputAnswers = {}
  for (let round = 1; "inputRequests" in response || "auth" in response; round++) {
    if (round > maxRounds)
      throw new AgentStatechartsError(
        "tool_call_failed",
        `the tool "${name}" required input more than ${maxRounds} times during one call`,
      )
    let isRepetition = false
    if ("auth" in response) secret = await askForSecret(context, server, response)
    else {
      const { inputRequests, requestState } = response
      const inputResponses = await answersTo(context, tool, inputRequests)
      isRepetition = Object.keys(inputResponses).length === 0
      input = {
        ...(!isRepetition && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      }
    }
    const [granted, given] = [secret, input]
    response = orThrow(
      await context.step(`${name}: response ${round}`, async () => {
        if (isRepetition) await pause()
        return withFailure(send(given, granted).then(reported))
      }),
    )
  }
  return "task" in response
    ? followTask(context, tool, response.task, {
        requests: tasksOf(secret),
        canceller,
      })
    : resultOf(name, response.result)
}

const pause = (): Promise<void> =>
  new Promise((resolve) => void systemClock.wakeAt(systemClock.now() + pauseMs, resolve))
