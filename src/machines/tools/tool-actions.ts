import type { HostEffects } from "../host-functions/host-function.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"

/**
 * Applies the actions that a tool function or its callbacks requested (docs/semantics.md#classes).
 * The actions end the loops, hand off the conversation, or end the turn with the result of the
 * tool. Returns the changed call. If the handoff is not allowed, applies none of the actions and
 * returns an error message.
 */
export function applyActions(
  context: LlmAgentContext,
  call: OpenCall,
  { escalates, transfersTo, skipsSummarization }: Omit<HostEffects, "changed">,
): OpenCall | string {
  const { transferTargets } = context.definition
  if (transfersTo !== null && !transferTargets.includes(transfersTo)) {
    const mayTransfer =
      transferTargets.length === 0
        ? `"${context.input.agent}" cannot transfer to any agent`
        : `you may transfer to: ${transferTargets.join(", ")}`
    return `"${call.tool}" asks to transfer to "${transfersTo}"; ${mayTransfer}`
  }
  if (escalates) context.leavesLoop = true
  return {
    ...call,
    transfersTo: transfersTo ?? call.transfersTo,
    skipsSummarization: call.skipsSummarization || skipsSummarization,
  }
}
