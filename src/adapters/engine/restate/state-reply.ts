import type { WorkflowContext, WorkflowSharedContext } from "@restatedev/restate-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import { tooLarge } from "./message-size.js"

/** What comes back to who has asked how a run stands. */
type StateReply = { readonly result: RunResult } | { readonly refused: string }

/** Answers who has asked, at the promise of this name. */
export function sendState(ctx: WorkflowContext, name: string, result: RunResult): void {
  const why = tooLarge(JSON.stringify(result))
  // Whether it arrives is seen by who waits there; the run goes on.
  void ctx
    .promise<StateReply>(name)
    .resolve(why === null ? { result } : { refused: `the state of run "${ctx.key}" ${why}` })
}

/** @throws AgentStatechartsError `response_too_large`. */
export async function receiveState(ctx: WorkflowSharedContext, name: string): Promise<RunResult> {
  const shown = await ctx.promise<StateReply>(name)
  if ("refused" in shown) throw new AgentStatechartsError("response_too_large", shown.refused)
  return shown.result
}

/** The result of a run as it can be kept: a run whose state is too large has failed. */
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
