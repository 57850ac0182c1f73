import type {
  CallToolResult,
  ClientCapabilities,
  ElicitRequestFormParams,
  InputRequests,
  InputRequiredResult,
} from "@modelcontextprotocol/server"
import * as z from "zod"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { HttpError } from "../../../serving/http-error.js"
import { questionText } from "../../../serving/display/question-text.js"
import type { RunDetails } from "../../../serving/run-details.js"
import { messageOf } from "./mcp-input.js"
import type { McpPackage } from "./mcp-package.js"
import { isNextMessage, resultOf } from "./mcp-result.js"

/**
 * Returns whether an MCP client can show forms to its user (elicitation). The capability
 * `elicitation` without details includes forms.
 */
const showsForms = (capabilities: ClientCapabilities | undefined): boolean => {
  const { elicitation } = capabilities ?? {}
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  )
}

/**
 * Returns whether a person can answer a pending request in a form. This excludes results of tool
 * calls, which programs send, and requests for the next user message, which are not questions.
 */
const isForPeople = (request: PendingRequest): boolean =>
  request.kind !== "tool" && !isNextMessage(request)

/** Returns the pending requests that the MCP client can show as forms. */
const requestsForForms = (
  pending: readonly PendingRequest[],
  capabilities: ClientCapabilities | undefined,
): readonly PendingRequest[] => (showsForms(capabilities) ? pending.filter(isForPeople) : [])

/** Returns whether the MCP client can show a form for at least one of the pending requests. */
export const hasForms = (
  pending: readonly PendingRequest[],
  capabilities: ClientCapabilities | undefined,
): boolean => requestsForForms(pending, capabilities).length > 0

type Form = ElicitRequestFormParams["requestedSchema"]

const approvalForm = (request: PendingRequest): Form => {
  const edited = argumentsText(request)
  return {
    type: "object",
    properties: {
      approved: { type: "boolean", title: "Approve" },
      ...(edited !== null && {
        arguments: {
          type: "string",
          title: "Arguments",
          description: "The arguments as JSON. Edit them to approve other arguments.",
          default: edited,
        },
      }),
      reason: { type: "string", title: "Reason", description: "Reason for a rejection." },
    },
    required: ["approved"],
  }
}

/**
 * Returns the arguments of the tool calls that an approval is about, as JSON. For several calls,
 * returns an object with the arguments by call id. Returns null if there are no calls.
 */
function argumentsText({ toolCalls = [] }: PendingRequest): string | null {
  const [only, second] = toolCalls
  if (only === undefined) return null
  return JSON.stringify(
    second === undefined
      ? only.args
      : Object.fromEntries(toolCalls.map(({ id, args }) => [id, args])),
  )
}

/**
 * Returns the tool arguments that a person has edited. Returns null if they are unchanged.
 *
 * @throws HttpError `input_refused` if the text is not a JSON object.
 */
function editedArguments(
  text: string | undefined,
  request: PendingRequest,
): Readonly<Record<string, unknown>> | null {
  if (text === undefined || text.trim() === "" || text === argumentsText(request)) return null
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // The error below also describes a text that is not JSON.
  }
  throw new HttpError(400, {
    code: "input_refused",
    message: `the edited arguments of the request "${request.id}" are not a JSON object; call answer_run with approved and args`,
  })
}

const answerForm = (title: string, choices?: PendingRequest["choices"]): Form => ({
  type: "object",
  properties: {
    answer: {
      type: "string",
      title,
      ...(choices !== undefined && { enum: choices.map(String) }),
    },
  },
  required: ["answer"],
})

const formFor = (request: PendingRequest): Form =>
  request.kind === "approval"
    ? approvalForm(request)
    : request.kind === "auth"
      ? answerForm("Name of the secret")
      : answerForm("Answer", request.choices)

/**
 * Returns the response to an MCP tool call after the calls of its run have finished. If the client
 * can show forms, the response contains forms for the pending requests of the run. Otherwise, it
 * contains the current result of the run and a list of the pending requests.
 */
export function resultOrForms(
  details: RunDetails,
  capabilities: ClientCapabilities | undefined,
  { inputRequired }: McpPackage,
): CallToolResult | InputRequiredResult {
  const requests = requestsForForms(details.pending, capabilities)
  if (requests.length === 0) return resultOf(details)
  const inputRequests: InputRequests = Object.fromEntries(
    requests.map((request) => [
      request.id,
      inputRequired.elicit({ message: questionText(request), requestedSchema: formFor(request) }),
    ]),
  )
  // The run id is not signed, because the client can also name any run with the tool answer_run.
  return inputRequired({ inputRequests, requestState: details.runId })
}

const filledApproval = z.object({
  approved: z.boolean(),
  arguments: z.string().optional(),
  reason: z.string().optional(),
})
const filledAnswer = z.object({ answer: z.string() })

/**
 * Converts completed MCP forms to messages for the run. If a person declines the form of an
 * approval, the approval is rejected. All other requests without an answer stay pending.
 *
 * @throws HttpError `request_unknown` if an answered request is no longer pending, `input_refused`
 * if edited arguments are not a JSON object.
 */
export function answersIn(
  responses: Readonly<Record<string, unknown>>,
  pending: readonly PendingRequest[],
  { inputResponse }: McpPackage,
): readonly RunMessage[] {
  const closed = Object.keys(responses).find(
    (answered) =>
      !pending.some(({ id }) => id === answered) &&
      inputResponse({ ...responses }, answered).kind === "elicit",
  )
  if (closed !== undefined)
    throw new HttpError(409, {
      code: "request_unknown",
      message: `the request "${closed}" is no longer pending: it was answered elsewhere, or its branch has ended`,
    })
  return pending.flatMap((request): readonly RunMessage[] => {
    const response = inputResponse({ ...responses }, request.id)
    if (response.kind !== "elicit" || response.action === "cancel") return []
    const { id, kind } = request
    if (response.action === "decline")
      return kind === "approval" ? [messageOf({ request: id, approved: false }, pending)] : []
    if (kind === "approval") {
      const { data } = filledApproval.safeParse(response.content)
      if (data === undefined) return []
      const { approved, reason } = data
      const args = approved ? editedArguments(data.arguments, request) : null
      const fields = {
        request: id,
        approved,
        ...(args !== null && { args }),
        ...(reason !== undefined && reason !== "" && { reason }),
      }
      return [messageOf(fields, pending)]
    }
    const { data } = filledAnswer.safeParse(response.content)
    if (data === undefined) return []
    return [
      messageOf(
        { request: id, answer: kind === "auth" ? { secret: data.answer } : data.answer },
        pending,
      ),
    ]
  })
}
