import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"
import { transferTool } from "./built-in-tools.js"
import { finished } from "./tool-call-proposal.js"

/**
 * Returns the id of the agent that receives the conversation after all tool calls have finished. It
 * is the agent that the model chose, or else the first agent that a tool chose, in call order.
 * Returns null if there is no handoff.
 */
export const transferOf = ({ handoffTo, toolCalls }: LlmAgentContext): string | null =>
  handoffTo ?? toolCalls.find(({ transfersTo }) => transfersTo !== null)?.transfersTo ?? null

/**
 * Processes the handoffs in a model response, before its other tool calls run
 * (docs/semantics.md#handoffs). Accepts the first handoff to a known agent. Later handoffs and
 * handoffs to unknown agents return an error to the model. Unknown arguments are ignored.
 */
export function resolveTransfers(context: LlmAgentContext): void {
  const targets = context.definition.transferTargets
  if (targets.length === 0 || !context.toolCalls.some((call) => call.tool === transferTool)) return
  let winner: string | null = null
  context.toolCalls = context.toolCalls.map((call): OpenCall => {
    if (call.tool !== transferTool || call.status === "finished") return call
    const name = Object.hasOwn(call.args, "agent_name") ? call.args["agent_name"] : undefined
    if (typeof name !== "string" || !targets.includes(name)) {
      const asked =
        typeof name === "string"
          ? `there is no agent "${name}" to transfer to`
          : `transfer_to_agent needs the argument "agent_name"`
      return finished(call, { error: `${asked}; you may transfer to: ${targets.join(", ")}` })
    }
    if (winner !== null)
      return finished(call, {
        error: `the conversation was already transferred to "${winner}" in this response`,
      })
    winner = name
    return finished(call, { result: `transferred to ${name}` })
  })
  context.handoffTo = winner
}
