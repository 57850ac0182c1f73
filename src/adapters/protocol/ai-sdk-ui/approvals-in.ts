import type { UIMessage } from "ai"

/**
 * A person's answer to an approval request: pass it to `run.approve(id)` or `run.reject(id,
 * reason)`.
 */
export interface GivenApproval {
  readonly id: string
  readonly isApproved: boolean
  readonly reason?: string
}

/**
 * Returns the approvals in the last message of a chat, one per request. A request for several calls
 * is approved if all of them are.
 */
export function approvalsIn(messages: readonly UIMessage[]): readonly GivenApproval[] {
  const given = new Map<string, GivenApproval>()
  for (const part of messages.at(-1)?.parts ?? []) {
    if (!("state" in part) || part.state !== "approval-responded") continue
    const { id, approved, reason } = part.approval
    if (given.get(id)?.isApproved === false) continue
    given.set(id, { id, isApproved: approved, ...(reason !== undefined && { reason }) })
  }
  return [...given.values()]
}
