import type { AgentDefinition } from "../contract/agent-definition.js"
import type { AssistantPart, Message, ModelAnswer } from "../contract/services.js"
import type { OpenCall } from "./llm-agent-context.js"

/**
 * Returns the system message of an agent. It contains the agent's instructions and, in a team, the
 * agents to which it can hand off.
 */
export function systemText({
  instructions,
  handoffText,
}: Extract<AgentDefinition, { type: "LlmAgent" }>): string | null {
  if (instructions === null) return handoffText
  return handoffText === null ? instructions : `${instructions}\n\n${handoffText}`
}

/**
 * Returns a model response as a message of the conversation: a text, or parts if the response has
 * tool calls (docs/semantics.md#model-calls).
 */
export function assistantMessage(answer: ModelAnswer | null, calls: readonly OpenCall[]): Message {
  const text = answer?.content ?? null
  if (calls.length === 0) return { role: "assistant", content: text ?? "" }
  const parts: AssistantPart[] = text === null || text === "" ? [] : [{ text }]
  for (const { id, tool, args } of calls) parts.push({ function_call: { id, name: tool, args } })
  return { role: "assistant", content: parts }
}

/** Returns one tool message with the results of all tool calls, in call order. */
export const toolMessage = (calls: readonly OpenCall[]): Message => ({
  role: "tool",
  content: calls.map(({ id, tool, response }) => ({
    function_response: { id, name: tool, response: response ?? {} },
  })),
})

/**
 * Returns the message that tells the model whether a person approved its request. Only used if the
 * request for approval contained no tool calls.
 */
export const decisionMessage = (approved: boolean, reason: string | null): Message => ({
  role: "user",
  content: approved
    ? "approved"
    : reason === null || reason === ""
      ? "rejected"
      : `rejected: ${reason}`,
})
