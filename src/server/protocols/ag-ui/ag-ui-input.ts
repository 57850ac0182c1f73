import * as z from "zod"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { UserContent } from "../../../machines/contract/user-content.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { HttpError } from "../../../serving/http-error.js"
import { runId } from "../../api/request-bodies.js"

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const message = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
  toolCallId: z.string().optional(),
  error: z.string().optional(),
})
const resumeEntry = z.looseObject({
  interruptId: z.string(),
  status: z.enum(["resolved", "cancelled"]),
  payload: z.unknown().optional(),
})

/** Schema of the fields that the server reads from the AG-UI object `RunAgentInput`. */
export const agUiInput = z.looseObject({
  threadId: runId,
  runId: z.string().min(1).max(256),
  messages: z.array(message),
  state: z.unknown().optional(),
  resume: z.array(resumeEntry).optional(),
  tools: z.unknown().optional(),
})

export type AgUiInput = z.infer<typeof agUiInput>

/** Returns the content of the last message if it is from the user. Otherwise returns undefined. */
export function lastUserMessage({ messages }: AgUiInput): UserContent | undefined {
  const last = messages.at(-1)
  if (last?.role !== "user") return undefined
  const { content } = last
  if (typeof content === "string") return content
  const texts = (content ?? []).flatMap((one) => {
    if (one.type !== "text" || one.text === undefined)
      throw new HttpError(400, {
        code: "input_refused",
        message: `the parts of a message must have the type text, not ${one.type}`,
      })
    return [one.text]
  })
  return texts.length === 0 ? undefined : texts.join("")
}

/** Returns the initial session state that a web page sends. Returns undefined if it is empty. */
export const initialState = ({ state }: AgUiInput): Readonly<Record<string, unknown>> | undefined =>
  isJsonObject(state) && Object.keys(state).length > 0 ? state : undefined

/**
 * Converts the answers of a web page to AG-UI interrupts into messages for the run.
 *
 * @throws HttpError `request_unknown` if an interrupt is not pending.
 */
export const answersIn = (
  { resume = [] }: AgUiInput,
  pending: readonly PendingRequest[],
): readonly RunMessage[] =>
  resume.map(({ interruptId, status, payload }) => {
    const request = pending.find(({ id }) => id === interruptId)
    if (request === undefined)
      throw new HttpError(409, {
        code: "request_unknown",
        message: `the interrupt "${interruptId}" is not pending; it was already answered, or it does not exist`,
      })
    return answerTo(request, status === "cancelled", payload)
  })

function answerTo(
  { id, kind }: PendingRequest,
  isCancelled: boolean,
  payload: unknown,
): RunMessage {
  const fields = isJsonObject(payload) ? payload : {}
  const reason = typeof fields["reason"] === "string" ? { reason: fields["reason"] } : {}
  if (kind === "approval") {
    const isApproved = !isCancelled && (payload === true || fields["approved"] === true)
    if (!isApproved) return { type: "reject", id, ...reason }
    // The run validates the arguments.
    return fields["args"] === undefined
      ? { type: "approve", id }
      : { type: "approve", id, args: fields["args"] as Readonly<Record<string, unknown>> }
  }
  // Only approvals can be rejected. Cancelling any other request cancels the run.
  if (isCancelled) return { type: "cancel" }
  if (kind === "tool") return { type: "deliver", callId: id, result: payload ?? null }
  return { type: "answer", id, value: payload ?? null }
}
