import type { AgentDefinition } from "../contract/agent-definition.js"
import { isSummarizer } from "../contract/compaction.js"
import { isChecker } from "../contract/guardrails/guardrails.js"

/**
 * Returns whether an agent works for another agent: it writes summaries, or it checks texts as a
 * guardrail. Its responses are not part of a conversation, so they are not displayed as messages.
 */
export const isHelper = (agent: string): boolean => isSummarizer(agent) || isChecker(agent)

/**
 * Returns the id of the agent that a helper agent works for. Returns undefined if the agent is not
 * a helper.
 */
export const ownerOf = (definition: AgentDefinition | undefined): string | undefined =>
  definition?.type === "LlmAgent" ? (definition.summarizes ?? definition.checks) : undefined
