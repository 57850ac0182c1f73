import type { AgentDefinition } from "../contract/agent-definition.js"
import type { AssistantPart, Message, ModelAnswer } from "../contract/services.js"
import type { OpenCall } from "./llm-agent-context.js"

/**
 * Returns the text of an agent's system message, or null if there is none. It consists of the
 * agent's instructions and a text about the agents to which the agent can hand off.
 */
export function systemText({
  instructions,
  handoffText,
}: Extract<AgentDefinition, { type: "LlmAgent" }>): string | null {
  if (instructions === null) return handoffText
  return handoffText === null ? instructions : `${instructions}\n\n${handoffText}`
}

/**
 * Converts a model response and its tool calls to a message of the conversation. The content is a
 * text, or a list of parts if there are tool calls (docs/semantics.md#model-calls).
 */
export function assistantMessage(answer: ModelAnswer | null, calls: readonly OpenCall[]): Message {
  const text = answer?.content ?? null
  if (calls.length === 0) return { role: "assistant", content: text ?? "" }
  const parts: AssistantPart[] = text === null || text === "" ? [] : [{ text }]
  for (const { id, tool, args } of calls) parts.push({ function_call: { id, name: tool, args } })
  return { role: "assistant", content: parts }
}

/**
 * Returns one message with the role `tool` that contains the results of all tool calls, in call
 * order.
 */
export const toolMessage = (calls: readonly OpenCall[]): Message => ({
  role: "tool",
  content: calls.map(({ id, tool, response }) => ({
    function_response: { id, name: tool, response: response ?? {} },
  })),
})

/**
 * Returns the user message that reports a person's decision to the model, such as
 * `rejected: too expensive`. Used only if the request for approval contained no tool calls.
 */
export const decisionMessage = (approved: boolean, reason: string | null): Message => ({
  role: "user",
  content: approved
    ? "approved"
    : reason === null || reason === ""
      ? "rejected"
      : `rejected: ${reason}`,
})
