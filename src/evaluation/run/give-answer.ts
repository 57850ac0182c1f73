import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunMessage } from "../../runtime/index.js"
import type { EvalAnswer } from "../eval-set/eval-set.js"

/**
 * Converts an answer in a test case to a message for the run. The answer belongs to the pending
 * request with its id. Without an id, it belongs to the oldest pending request of a matching kind.
 * Returns null if there is no such request.
 */
export function messageFor(
  answer: EvalAnswer,
  pending: readonly PendingRequest[],
  isBetweenInvocations: boolean,
): RunMessage | null {
  const find = (...kinds: readonly PendingRequest["kind"][]): string | null =>
    (answer.id === undefined
      ? pending.find(({ kind }) => kinds.includes(kind))
      : pending.find(({ id }) => id === answer.id)
    )?.id ?? null
  if ("approve" in answer) {
    const id = find("approval")
    return id === null
      ? null
      : { type: "approve", id, ...(answer.args !== undefined && { args: answer.args }) }
  }
  if ("reject" in answer) {
    const id = find("approval")
    return id === null
      ? null
      : { type: "reject", id, ...(answer.reason !== undefined && { reason: answer.reason }) }
  }
  if ("user" in answer) {
    if (isBetweenInvocations && answer.id === undefined)
      return { type: "say", content: answer.user }
    const request = find("input")
    return request === null ? null : { type: "say", content: answer.user, request }
  }
  const id = find("human", "auth", "input")
  return id === null ? null : { type: "answer", id, value: answer.answer }
}
