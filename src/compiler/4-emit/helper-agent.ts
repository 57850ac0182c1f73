import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { LlmAgentNode } from "../2-resolve/agent-node.js"

type LlmAgentDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * The settings of a helper agent, which summarizes or checks the texts of another agent. The field
 * `summarizes` or `checks` contains the id of the other agent.
 */
type Helper = Pick<LlmAgentDefinition, "model" | "instructions"> &
  (Required<Pick<LlmAgentDefinition, "summarizes">> | Required<Pick<LlmAgentDefinition, "checks">>)

/**
 * Returns the definition of a helper agent, which writes summaries or checks texts for `agent`. If
 * `model` is null, the helper calls the model or endpoint of `agent`. It has the timeouts and
 * retries of `agent`.
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
