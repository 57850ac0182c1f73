import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { LlmAgentNode } from "../2-resolve/agent-node.js"

type LlmAgentDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/** `summarizes` or `checks` is the id of the other agent. */
type Helper = Pick<LlmAgentDefinition, "model" | "instructions"> &
  (Required<Pick<LlmAgentDefinition, "summarizes">> | Required<Pick<LlmAgentDefinition, "checks">>)

/**
 * Returns the definition of an agent whose model works for another agent, such as an agent that
 * writes summaries. Without a model of its own, it calls the same model or endpoint. Timeouts and
 * retries are the same.
 */
export const helperAgent = (
  agent: LlmAgentNode,
  { model, instructions, ...purpose }: Helper,
): LlmAgentDefinition => ({
  type: "LlmAgent",
  description: null,
  model: model ?? agent.model,
  endpoint: model === null ? agent.endpoint : null,
  instructions,
  outputKey: null,
  tools: [],
  declarations: [],
  transferTargets: [],
  handoffText: null,
  activity: agent.activity,
  ...purpose,
  expiresInMs: null,
})
