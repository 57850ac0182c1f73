import type { HostEffects } from "./host-code.js"
import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"

/**
 * What the function of a tool, or a callback around its call, has asked for besides its result (SPEC section 11): to end the
 * loop, to hand the conversation over, to end the turn with the result. A text says why that cannot be; nothing is done then.
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
        ? `"${context.input.agent}" may transfer to nobody`
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
