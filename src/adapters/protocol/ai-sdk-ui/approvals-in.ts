import type { UIMessage } from "ai"

/**
 * The answer of a person to an approval request. Pass it to `run.approve(id)` or `run.reject(id,
 * reason)`.
 */
export interface GivenApproval {
  readonly id: string
  readonly isApproved: boolean
  readonly reason?: string
}

/**
 * Returns the approvals in the last message of a chat, one for each request. If a request proposes
 * several calls, it counts as approved only if all calls are approved.
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
