import type {
  CallToolResult,
  ClientCapabilities,
  ElicitRequestFormParams,
  InputRequests,
  InputRequiredResult,
} from "@modelcontextprotocol/server"
import * as z from "zod"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import { messageOf } from "./mcp-input.js"
import type { McpPackage } from "./mcp-package.js"
import { isNextMessage, questionOf, resultOf } from "./mcp-result.js"

/** Whether a client shows forms to its user. A client that says no more than that it elicits does. */
const showsForms = (capabilities: ClientCapabilities | undefined): boolean => {
  const { elicitation } = capabilities ?? {}
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  )
}

/**
 * What a form can ask a person. Who only waits for the next message has had his say, and the result of a call that takes long is
 * nobody's to type.
 */
const isForPeople = (request: PendingRequest): boolean =>
  request.kind !== "tool" && !isNextMessage(request)

type Form = ElicitRequestFormParams["requestedSchema"]

const approvalForm = (): Form => ({
  type: "object",
  properties: {
    approved: { type: "boolean", title: "Approve" },
    reason: { type: "string", title: "Reason", description: "Why not." },
  },
  required: ["approved"],
})

const answerForm = (title: string): Form => ({
  type: "object",
  properties: { answer: { type: "string", title } },
  required: ["answer"],
})

const formFor = ({ kind }: PendingRequest): Form =>
  kind === "approval"
    ? approvalForm()
    : answerForm(kind === "auth" ? "Name of the secret" : "Answer")

/** How a run stands, as the end of a request: what it waits for is asked where the client can ask it, and else told. */
export function restOf(
  standing: RunDetails,
  capabilities: ClientCapabilities | undefined,
  { inputRequired }: McpPackage,
): CallToolResult | InputRequiredResult {
  const asked = showsForms(capabilities) ? standing.pending.filter(isForPeople) : []
  if (asked.length === 0) return resultOf(standing)
  const inputRequests: InputRequests = Object.fromEntries(
    asked.map((request) => [
      request.id,
      inputRequired.elicit({ message: questionOf(request), requestedSchema: formFor(request) }),
    ]),
  )
  // Whoever may call the tool may name any run with answer_run as well, so that the id needs no seal.
  return inputRequired({ inputRequests, requestState: standing.runId })
}

const filledApproval = z.object({ approved: z.boolean(), reason: z.string().optional() })
const filledAnswer = z.object({ answer: z.string() })

/**
 * What the user has filled in, as messages to the run. Who declines an approval refuses it; anything else that he does not answer
 * stays open.
 *
 * @throws HttpError `request_unknown` for a request that is not open any more, before anything was given.
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
      return data === undefined
        ? []
        : [
            messageOf(
              {
                request: id,
                approved: data.approved,
                ...(data.reason === undefined || data.reason === "" ? {} : { reason: data.reason }),
              },
              pending,
            ),
          ]
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
