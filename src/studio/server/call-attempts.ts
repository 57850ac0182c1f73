import type { ModelRequest, ToolRequest } from "../../machines/contract/services.js"
import { pastCalls } from "../../runtime/history/past-calls.js"
import type { StoredRun } from "../../runtime/journal/journal.js"
import type { CallAttempt } from "../api.js"

/** Identifies a model call or tool call of a run. */
export interface CallPosition {
  readonly kind: "model" | "tool"
  /** Path of the agent that made the call. */
  readonly path: string
  /**
   * Id of the call. It is the idempotency key of a model call, or the tool call id of a tool call.
   */
  readonly id: string
}

/**
 * Returns the attempts of a call with their requests and results. The requests are reconstructed by
 * replaying the run's journal records, so no service is called.
 */
export function callAttempts(
  stored: StoredRun,
  { kind, path, id }: CallPosition,
): readonly CallAttempt[] {
  return pastCalls(stored).calls.flatMap(({ known, result }) => {
    if (known.kind !== kind || known.path !== path) return []
    // The kind of a call decides the type of its input.
    const { request } = known.call.input as { readonly request: ModelRequest | ToolRequest }
    const isSame = "callId" in request ? request.callId === id : request.idempotencyKey === id
    return isSame ? [{ attempt: known.attempt, request, result }] : []
  })
}
