import type { AgentChart } from "../contract/agent-chart.js"
import type { JsonObject } from "../data/json-object.js"
import { isJsonObject } from "../data/json-object.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import { locationOf, toolCallKey } from "../model-call/llm-agent-context.js"
import { proposedCall } from "../model-call/turn-tools.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { expiry } from "../contract/pending-request.js"

/**
 * Returns the result of a tool in the form that the model receives. An object is returned
 * unchanged. Any other value is wrapped, for example as `{ result: 5 }` (docs/semantics.md#tools).
 */
export function wrapResult(value: unknown, dialect: AgentChart["dialect"]): JsonObject {
  if (isJsonObject(value)) return value
  return dialect === "adk" ? { result: value ?? null } : { output: value ?? null }
}

/**
 * Converts the result of a LongRunningFunctionTool to `{ pending: true, ticket }`. A result that
 * already has the field `pending: true` is returned unchanged.
 */
export const asTicket = (value: unknown): unknown => {
  if (value === null || value === undefined) return { pending: true }
  return isJsonObject(value) && value["pending"] === true ? value : { pending: true, ticket: value }
}

/** Creates the request that asks a person to approve a tool call. */
export const confirmationRequest = (
  context: LlmAgentContext,
  call: OpenCall,
  index: number,
  expiresInMs: number | null,
): PendingRequest => ({
  id: requestId(context, call, index),
  kind: "approval",
  ...locationOf(context.input),
  prompt: `May "${call.tool}" be called?${call.objection === null ? "" : ` ${call.objection}`}`,
  details: null,
  toolCalls: [proposedCall(context, call)],
  ...expiry(context.at, expiresInMs),
})

/**
 * Returns the id of the next pending request of a tool call. A call can create up to three
 * requests, for approval, for consent and for its result. The id of the second request ends with
 * `~1`, and the id of the third with `~2`.
 */
function requestId(context: LlmAgentContext, call: OpenCall, index: number): string {
  const before = (call.isConfirmed ? 1 : 0) + (call.grantedSecret === null ? 0 : 1)
  return `${toolCallKey(context, call, index).slice(`${context.input.runId}/`.length)}${before === 0 ? "" : `~${before}`}`
}

/**
 * Returns the pending request that a tool creates with its return value `value`. Returns null if
 * `value` is an ordinary result. A long-running tool returns exactly `{ pending: true, ticket? }`.
 * To ask for consent, a tool returns exactly `{ pending: true, auth: { url, scopes? } }`.
 */
export function longRunningRequest(
  context: LlmAgentContext,
  call: OpenCall,
  index: number,
  value: unknown,
  expiresInMs: number | null,
): PendingRequest | null {
  if (!isJsonObject(value) || !Object.hasOwn(value, "pending") || value["pending"] !== true)
    return null
  const others = Object.keys(value).filter((key) => key !== "pending")
  if (others.length > 1) return null
  const request = {
    id: requestId(context, call, index),
    ...locationOf(context.input),
    toolCalls: [{ id: call.id, name: call.tool, args: call.args }],
    ...expiry(context.at, expiresInMs),
  }
  const [other] = others
  if (other === undefined) return { ...request, kind: "tool", prompt: null, details: null }
  if (other === "ticket")
    return { ...request, kind: "tool", prompt: null, details: { ticket: value["ticket"] } }
  const auth = value["auth"]
  if (other !== "auth" || !isJsonObject(auth) || typeof auth["url"] !== "string") return null
  if (call.grantedSecret !== null) return null
  return {
    ...request,
    kind: "auth",
    prompt: `"${call.tool}" asks for your consent at ${auth["url"]}`,
    details: { auth },
  }
}
