import type { WorkflowContext, WorkflowSharedContext } from "@restatedev/restate-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import { tooLarge } from "./message-size.js"

/**
 * The reply to a query for the state of a run. It is the run's result so far, or an error message
 * if this result is too large for Restate.
 */
type StateReply = { readonly result: RunResult } | { readonly refused: string }

/**
 * Replies to a query for a run's state. The sender of the query waits for the durable promise
 * `name`.
 */
export function sendState(ctx: WorkflowContext, name: string, result: RunResult): void {
  const why = tooLarge(JSON.stringify(result))
  // The result of `resolve` is ignored, because a failed reply must not stop the run.
  void ctx
    .promise<StateReply>(name)
    .resolve(why === null ? { result } : { refused: `the state of run "${ctx.key}" ${why}` })
}

/**
 * Waits for the reply to a query for the state of a run, which arrives in the durable promise
 * `name`.
 *
 * @throws AgentStatechartsError `response_too_large` if the state does not fit into a message
 */
export async function receiveState(ctx: WorkflowSharedContext, name: string): Promise<RunResult> {
  const shown = await ctx.promise<StateReply>(name)
  if ("refused" in shown) throw new AgentStatechartsError("response_too_large", shown.refused)
  return shown.result
}

/**
 * Returns the result of a run in a form that Restate can store. If the run's state is too large for
 * a Restate message, returns the result of a failed run instead.
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
