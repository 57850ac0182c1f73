import type { UIMessage } from "ai"

/**
 * The answer of a person to an approval request of a run. Pass its fields to `run.approve(id)` or
 * `run.reject(id, reason)`.
 */
export interface ApprovalResponse {
  readonly id: string
  readonly isApproved: boolean
  readonly reason?: string
}

/**
 * Returns the answers to approval requests in the last message of a chat. There is one answer for
 * each request. If a request is for several tool calls, it counts as approved only if all of these
 * calls are approved.
 */
export function approvalsIn(messages: readonly UIMessage[]): readonly ApprovalResponse[] {
  const responses = new Map<string, ApprovalResponse>()
  for (const part of messages.at(-1)?.parts ?? []) {
    if (!("state" in part) || part.state !== "approval-responded") continue
    const { id, approved, reason } = part.approval
    if (responses.get(id)?.isApproved === false) continue
    responses.set(id, { id, isApproved: approved, ...(reason !== undefined && { reason }) })
  }
  return [...responses.values()]
}
