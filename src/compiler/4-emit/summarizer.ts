import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { Compaction } from "../../machines/contract/compaction.js"
import { summarizerOf } from "../../machines/contract/compaction.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { LlmAgentNode } from "../2-resolve/agent-node.js"
import { helperAgent } from "./helper-agent.js"

const defaultInstructions =
  "Summarize the following messages of a conversation between a user and an assistant. If there is a summary of earlier messages, include its content. Keep names, numbers, decisions, results of tools, and all questions and tasks that are still open. Write a short text without an introduction."

/**
 * Converts the compaction settings of an agent to the form that is stored in charts. Returns null
 * if the agent has no such settings.
 */
export function compactionOf({ id, compaction }: LlmAgentNode): Compaction | null {
  if (compaction === null) return null
  const { maxTokens, interval, overlap, keepMessages } = compaction
  return {
    ...withoutNulls({ maxTokens, interval, overlap, keepMessages }),
    summarizer: summarizerOf(id),
  }
}

/**
 * Returns the helper agent that summarizes the conversation of another agent. By default, it calls
 * the same model or endpoint with the same timeouts and retries. Returns null if the agent has no
 * `compaction`.
 */
export function summarizerDefinition(agent: LlmAgentNode): AgentDefinition | null {
  const { compaction } = agent
  if (compaction === null) return null
  return helperAgent(agent, {
    model: compaction.model,
    instructions: compaction.instructions ?? defaultInstructions,
    summarizes: agent.id,
  })
}
