import type { AgentDefinition } from "../contract/agent-definition.js"
import { isSummarizer } from "../contract/compaction.js"
import { isChecker } from "../contract/guardrails/guardrails.js"

/**
 * Returns whether an agent works for another agent, because it writes summaries or checks texts as
 * a guardrail. The responses of such an agent are not displayed as messages, because they are not
 * part of a conversation.
 */
export const isHelper = (agent: string): boolean => isSummarizer(agent) || isChecker(agent)

/**
 * Returns the id of the agent for which a summarizer or a guardrail's checker works. Returns
 * undefined for any other agent.
 */
export const ownerOf = (definition: AgentDefinition | undefined): string | undefined =>
  definition?.type === "LlmAgent" ? (definition.summarizes ?? definition.checks) : undefined
