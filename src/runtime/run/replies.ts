import { nodeAnswer } from "./node-answer.js"
import { describeArgument, refuseArgument } from "../../machines/data/check-arguments.js"
import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { maxDataDepth, isDeeperThan } from "../../machines/data/nesting.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import { isNodeQuestion } from "../../machines/contract/pending-request.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkUserContent, textOfContent } from "../../machines/contract/user-content.js"
import { checkArguments, checkSchema, choiceFrom } from "./check-answer.js"
import type { RunAnswer } from "./run-message.js"

/** An answer to a pending request, without the time of the answer (field `at`). */
export type TimelessReply = Reply extends infer Each
  ? Each extends Reply
    ? Omit<Each, "at">
    : never
  : never

/**
 * Converts a message to an answer for a pending request. The answer contains no time.
 *
 * @throws AgentStatechartsError `request_unknown` if no pending request fits, or `input_refused` if
 * the request does not accept this answer
 */
export function createReply(
  answer: RunAnswer,
  pending: readonly PendingRequest[],
  isBetweenInvocations: boolean,
): TimelessReply {
  switch (answer.type) {
    case "approve":
      return approval(pending, answer.id, answer.args)
    case "reject":
      return rejection(pending, answer.id, answer.reason)
    case "answer":
      return answerTo(pending, answer.id, answer.value)
    case "say":
      return message(pending, answer.content, answer.request, isBetweenInvocations)
    case "deliver":
      return delivery(pending, answer.callId, answer.result)
  }
}

const refuse = (message: string): never => {
  throw new AgentStatechartsError("input_refused", message)
}

/**
 * Returns a JSON copy of a value. `undefined` becomes null. `what` is the name of the value in
 * error messages.
 */
function asJson(value: unknown, what: string): unknown {
  if (isDeeperThan(maxDataDepth, value))
    return refuse(`${what} is nested deeper than ${maxDataDepth} levels, or contains itself`)
  try {
    return value === undefined ? null : JSON.parse(JSON.stringify(value))
  } catch (cause) {
    throw new AgentStatechartsError(
      "input_refused",
      `${what} must be JSON: ${thrownMessage(cause)}`,
      { cause },
    )
  }
}

function find(pending: readonly PendingRequest[], id: string): PendingRequest {
  const request = pending.find((open) => open.id === id)
  if (request !== undefined) return request
  const open = pending.map((other) => `"${other.id}"`).join(", ")
  if (typeof id !== "string")
    return refuseArgument(
      `the first argument must be the id of a pending request, but is ${describeArgument(id)}. If you have the request, pass request.id. ${open === "" ? "The run has no pending requests." : `Pending requests: ${open}.`}`,
    )
  throw new AgentStatechartsError(
    "request_unknown",
    `the request "${id}" is not pending; ${open === "" ? "the run has no pending requests" : `pass the id of a pending request: ${open}`}`,
  )
}

/** The methods of `RunControls` that answer each kind of request, for error messages. */
const methods: Readonly<Record<PendingRequest["kind"], string>> = {
  approval: "approve or reject",
  input: "say",
  human: "answer",
  tool: "deliver",
  auth: "answer",
}

function expectKind(
  request: PendingRequest,
  verb: string,
  ...kinds: readonly PendingRequest["kind"][]
): void {
  if (!kinds.includes(request.kind))
    refuse(
      `request "${request.id}" is of kind ${request.kind}, but ${verb} only answers ${kinds.join(" and ")}. Call ${methods[request.kind]} instead`,
    )
}

/**
 * Returns the answer that approves tool calls. `args` replaces the arguments of the proposed call.
 * If there are several proposed calls, `args` contains the arguments of each call by its id
 * (docs/semantics.md#pending-requests).
 */
function approval(pending: readonly PendingRequest[], id: string, args: unknown): TimelessReply {
  const request = find(pending, id)
  expectKind(request, "approve", "approval")
  if (args === undefined || args === null) return { type: "human.approved", id, args: null }
  const edited = asJson(args, "args")
  if (!isJsonObject(edited)) return refuse("args must be an object")
  const calls = request.toolCalls ?? []
  if (calls.length === 0)
    return refuse(`request "${id}" does not propose a call whose arguments can be edited`)
  const [only, ...others] = calls
  if (only !== undefined && others.length === 0) checkArguments(only, edited)
  else {
    const byId = new Map(calls.map((call) => [call.id, call]))
    for (const [key, value] of Object.entries(edited)) {
      const call = byId.get(key)
      if (call === undefined)
        return refuse(
          `the keys of args must be ids of the proposed calls (${[...byId.keys()].join(", ")}); "${key}" is not one of them`,
        )
      if (!isJsonObject(value))
        return refuse(`the arguments of the call "${key}" must be an object`)
      checkArguments(call, value)
    }
  }
  return { type: "human.approved", id, args: edited }
}

function rejection(
  pending: readonly PendingRequest[],
  id: string,
  reason: string | undefined,
): TimelessReply {
  expectKind(find(pending, id), "reject", "approval")
  if (reason !== undefined && typeof reason !== "string")
    return refuse("the reason must be a string")
  return { type: "human.rejected", id, reason: reason ?? null }
}

function answerTo(pending: readonly PendingRequest[], id: string, value: unknown): TimelessReply {
  const request = find(pending, id)
  expectKind(request, "answer", "human", "input", "auth")
  const answer = asJson(value, "the answer")
  const choice = choiceFrom(request, answer)
  if (choice !== null)
    return request.kind === "input"
      ? { type: "user.said", id, text: String(choice) }
      : { type: "human.answered", id, value: choice }
  if (isNodeQuestion(request))
    return {
      type: "human.answered",
      id,
      value: nodeAnswer(id, request.answerSchema ?? null, answer),
    }
  if (request.kind === "input") {
    if (typeof answer !== "string")
      return refuse(`request "${id}" is of kind input: the answer must be a string`)
    return { type: "user.said", id, text: answer }
  }
  if (request.kind === "auth" && (!isJsonObject(answer) || typeof answer["secret"] !== "string")) {
    return refuse(
      `request "${id}" is of kind auth: answer with {secret: name}. Send the name of the secret, never its value`,
    )
  }
  checkSchema(request, answer)
  return { type: "human.answered", id, value: answer }
}

/**
 * Value of the field `id` in a user message that starts the next invocation and does not answer a
 * request (adk dialect).
 */
export const noRequestId = ""

/**
 * Returns the answer for a user message. If `id` is set, the message answers the request with this
 * id. Otherwise, a message between two invocations starts the next invocation. At other times, it
 * answers the request for input, if only one is pending.
 */
function message(
  pending: readonly PendingRequest[],
  given: UserContent,
  id: string | undefined,
  isBetweenInvocations: boolean,
): TimelessReply {
  const content = checkUserContent(given, "the message")
  const words = {
    text: textOfContent(content),
    ...(typeof content !== "string" && { parts: structuredClone(content) }),
  }
  const replyTo = (request: PendingRequest): TimelessReply => {
    const choice = choiceFrom(request, words.text)
    return {
      type: "user.said",
      id: request.id,
      ...(choice === null ? words : { text: String(choice) }),
    }
  }
  if (id !== undefined) {
    const request = find(pending, id)
    expectKind(request, "say", "input")
    return replyTo(request)
  }
  if (isBetweenInvocations) return { type: "user.said", id: noRequestId, ...words }
  const inputs = pending.filter((request) => request.kind === "input")
  const [only] = inputs
  if (only === undefined)
    throw new AgentStatechartsError(
      "request_unknown",
      "no agent is waiting for a user message; call run.pending() to see the pending requests",
    )
  if (inputs.length > 1)
    return refuse(
      `several agents are waiting for a message; pass one of these request ids: ${inputs.map((request) => `"${request.id}"`).join(", ")}`,
    )
  return replyTo(only)
}

/**
 * Returns the answer that contains the result of a long-running tool call. `callId` is the id of
 * the tool call, or of the pending request for its result.
 */
function delivery(
  pending: readonly PendingRequest[],
  callId: string,
  result: unknown,
): TimelessReply {
  const open = pending.filter((request) => request.kind === "tool")
  const byRequest = open.find((request) => request.id === callId)
  const byCall = open.filter((request) => request.toolCalls?.[0]?.id === callId)
  const request = byRequest ?? byCall[0]
  if (request === undefined) {
    const ids = open.map((other) => `"${other.toolCalls?.[0]?.id}"`).join(", ")
    throw new AgentStatechartsError(
      "request_unknown",
      `the long-running call "${callId}" is not pending; ${ids === "" ? "the run has no pending calls" : `pending calls: ${ids}`}`,
    )
  }
  if (byRequest === undefined && byCall.length > 1) {
    return refuse(
      `several calls have the id "${callId}"; pass one of these request ids: ${byCall.map((other) => `"${other.id}"`).join(", ")}`,
    )
  }
  return { type: "tool.delivered", id: request.id, result: asJson(result, "the result") }
}

/**
 * Checks that a request has not expired at the time of the answer. The timer that closes an expired
 * request may be late, for example after a restart.
 *
 * @throws AgentStatechartsError `request_expired` if the request has expired
 */
export function checkNotExpired(pending: readonly PendingRequest[], { id, at }: Reply): void {
  const request = pending.find((open) => open.id === id)
  if (request?.expiresAt === undefined || at < request.expiresAt) return
  throw new AgentStatechartsError(
    "request_expired",
    `the request "${id}" has expired (expiresAt ${request.expiresAt}) and does not accept an answer`,
  )
}
