import { AgentStatechartsError } from "../../errors.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { isNodeQuestion } from "../../machines/contract/pending-request.js"
import type { RunControls } from "../../runtime/run/run-controls.js"
import { confirmationText, isConfirmation } from "../context/confirmation.js"
import type { Content, FunctionCall, FunctionResponse } from "../events/content.js"
import { createEventActions } from "../events/event-actions.js"
import type { Event } from "../events/event.js"
import { createEvent, getFunctionCalls } from "../events/event.js"
import { nodePathOf } from "../nodes/node-path.js"
import { userContentOf } from "../events/message-parts.js"

/**
 * Name of the function call that asks the user to approve a tool call. The id of the function call
 * is the id of the pending request.
 */
export const REQUEST_CONFIRMATION_FUNCTION_CALL_NAME = "adk_request_confirmation"

/** Name of the function call that asks the user a question. */
export const REQUEST_INPUT_FUNCTION_CALL_NAME = "adk_request_input"

/** Returns the function calls of an event that ask the user to approve tool calls. */
export const getAskUserConfirmationFunctionCalls = (event: Event): FunctionCall[] =>
  getFunctionCalls(event).filter(({ name }) => name === REQUEST_CONFIRMATION_FUNCTION_CALL_NAME)

/**
 * Converts a pending request of a run to an ADK event with a function call that the user must
 * answer. Returns null if an earlier event already contains the call.
 */
export function requestEvent(
  request: PendingRequest,
  isLongRunning: (tool: string) => boolean,
): Partial<Event> | null {
  const { id, kind, prompt, details, toolCalls = [] } = request
  const [call] = toolCalls
  if (kind === "tool" && call !== undefined) {
    // As in ADK, a long-running tool that has returned nothing emits no event until its result
    // arrives.
    if (details === null && isLongRunning(call.name)) return null
    const response = {
      status: "pending",
      ...(typeof details === "object" && details !== null && details),
    }
    const content: Content = {
      role: "user",
      parts: [{ functionResponse: { id: call.id, name: call.name, response } }],
    }
    return { content, ...(!isLongRunning(call.name) && { longRunningToolIds: [call.id] }) }
  }
  if (isConfirmation(details)) {
    const { originalFunctionCall, toolConfirmation } = details
    const { id: callId = "" } = originalFunctionCall
    const args = { originalFunctionCall, toolConfirmation }
    return {
      content: {
        role: "model",
        parts: [{ functionCall: { id, name: REQUEST_CONFIRMATION_FUNCTION_CALL_NAME, args } }],
      },
      longRunningToolIds: [id],
      actions: createEventActions({ requestedToolConfirmations: { [callId]: toolConfirmation } }),
    }
  }
  if (kind === "approval") {
    const toolConfirmation = { hint: prompt ?? "", confirmed: false }
    const args = { ...(call !== undefined && { originalFunctionCall: call }), toolConfirmation }
    const confirmations = Object.fromEntries(
      toolCalls.map((proposed) => [proposed.id, toolConfirmation]),
    )
    return {
      content: {
        role: "model",
        parts: [{ functionCall: { id, name: REQUEST_CONFIRMATION_FUNCTION_CALL_NAME, args } }],
      },
      longRunningToolIds: [id],
      actions: createEventActions({ requestedToolConfirmations: confirmations }),
    }
  }
  return {
    content: {
      role: "model",
      parts: [
        {
          functionCall: {
            id,
            name: REQUEST_INPUT_FUNCTION_CALL_NAME,
            args: questionArguments(request),
          },
        },
      ],
    },
    longRunningToolIds: [id],
  }
}

/**
 * Returns the arguments of the function call that asks the user a question. A graph node's question
 * has only ADK's arguments. Other questions can also have `choices` and `shown`, which do not exist
 * in ADK.
 */
function questionArguments(request: PendingRequest): Record<string, unknown> {
  const { id, prompt, details, choices, shown, answerSchema } = request
  if (isNodeQuestion(request))
    return {
      interruptId: id,
      payload: isJsonObject(details) ? (details["payload"] ?? null) : null,
      message: prompt,
      response_schema: answerSchema ?? null,
    }
  return {
    message: prompt,
    details,
    ...(choices !== undefined && { choices }),
    ...(shown !== undefined && { shown }),
    ...(answerSchema !== undefined && { response_schema: answerSchema }),
  }
}

/**
 * Returns the pending questions of graph nodes if a message could answer several of them. This is
 * the case if there are at least two questions and the message contains no function response.
 * Otherwise, returns an empty list.
 */
export function ambiguousQuestions(run: RunControls, message: Content): readonly PendingRequest[] {
  const hasResponse = message.parts?.some((part) => part.functionResponse !== undefined) === true
  const questions = run.pending().filter(isNodeQuestion)
  return hasResponse || questions.length < 2 ? [] : questions
}

/**
 * Creates an event that repeats a pending question of a run, so that the user can answer it again.
 */
export const questionEvent = (
  { runId }: { readonly runId: string },
  request: PendingRequest,
): Event =>
  createEvent({
    ...requestEvent(request, () => false),
    author: request.agent,
    invocationId: runId,
    nodeInfo: { path: nodePathOf(request.path) },
  })

/**
 * Answers a run's pending requests with the function responses of a user message. If the message
 * has no function responses, its content is the answer.
 *
 * @throws AgentStatechartsError `input_refused` if the run waits for a request that a text cannot
 * answer
 */
export function answer(run: RunControls, message: Content): void {
  const responses = (message.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? [])
  for (const response of responses) respond(run, response)
  if (responses.length > 0) return
  const content = userContentOf(message) ?? ""
  const pending = run.pending()
  const asked = pending.find(({ kind }) => kind === "input" || kind === "human")
  if (asked !== undefined)
    return asked.kind === "input"
      ? run.say(content, { request: asked.id })
      : run.answer(asked.id, content)
  const requests = pending.map(({ id, kind }) => `${kind} "${id}"`).join(", ")
  throw new AgentStatechartsError(
    "input_refused",
    `the invocation waits for ${requests}, and a text message is not an answer; send a functionResponse part with the id and the name of the function call`,
  )
}

const unwrapped = (response: Readonly<Record<string, unknown>>): unknown =>
  Object.hasOwn(response, "result") ? response["result"] : response

function respond(run: RunControls, { id = "", name, response = {} }: FunctionResponse): void {
  if (name === REQUEST_CONFIRMATION_FUNCTION_CALL_NAME) {
    // A confirmation that a tool requested with `requestConfirmation` is answered with a message. A
    // call of a tool with `requireConfirmation` is approved or rejected.
    const asked = run.pending().find((request) => request.id === id)
    if (isConfirmation(asked?.details)) run.say(confirmationText(response), { request: id })
    else if (response["confirmed"] === true) run.approve(id)
    else run.reject(id, typeof response["hint"] === "string" ? response["hint"] : undefined)
  } else if (
    run.pending().some(({ kind, toolCalls }) => kind === "tool" && toolCalls?.[0]?.id === id)
  )
    run.deliver(id, response)
  else if (name === REQUEST_INPUT_FUNCTION_CALL_NAME) {
    // For the question of a graph node, the run itself unwraps the answer.
    const asked = run.pending().find((request) => request.id === id)
    const isNode = asked !== undefined && isNodeQuestion(asked)
    run.answer(id, isNode ? response : unwrapped(response))
  } else run.deliver(id, response)
}
