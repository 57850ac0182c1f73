import type { WorkflowContext, WorkflowSharedContext } from "@restatedev/restate-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import { tooLarge } from "./message-size.js"

/** The reply to a state query. */
type StateReply = { readonly result: RunResult } | { readonly refused: string }

/** Sends a state reply to the promise with this name. */
export function sendState(ctx: WorkflowContext, name: string, result: RunResult): void {
  const why = tooLarge(JSON.stringify(result))
  // Whether the reply arrives is the caller's concern; the run continues.
  void ctx
    .promise<StateReply>(name)
    .resolve(why === null ? { result } : { refused: `the state of run "${ctx.key}" ${why}` })
}

/**
 * Waits for a state reply.
 *
 * @throws AgentStatechartsError `response_too_large`.
 */
export async function receiveState(ctx: WorkflowSharedContext, name: string): Promise<RunResult> {
  const shown = await ctx.promise<StateReply>(name)
  if ("refused" in shown) throw new AgentStatechartsError("response_too_large", shown.refused)
  return shown.result
}

/**
 * Returns a result that fits into a message. A run whose state is too large becomes a failed run.
 */
export function storableResult(result: RunResult): RunResult {
  const why = tooLarge(JSON.stringify(result))
  if (why === null) return result
  const { artifacts: _artifacts, ...rest } = result
  return {
    ...rest,
    status: "failed",
    text: null,
    state: {},
    error: { code: "response_too_large", message: `the result of the run ${why}`, agent: null },
  }
}
