import type { RemoteAgentDefinition } from "../../machines/contract/agent-definition.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { ParsedRemoteAgent } from "../1-parse/config/called-workflow.js"
import { defaultActivity } from "../1-parse/fields/activity-config.js"
import type { WorkflowAgentNode } from "./agent-node.js"
import { requireValue } from "./build-tools.js"

/**
 * Returns the resolved form of an agent that runs on another server. It is a workflow call that
 * starts a task on the server instead of a child run.
 */
export function remoteNode(
  config: ParsedRemoteAgent,
  common: Pick<WorkflowAgentNode, "id" | "description" | "pointer">,
): WorkflowAgentNode {
  const { url, headers, activity, prompt, input, output, outputKey, maxDurationMs } = config
  const agentCard = requireValue(config.agentCard)
  const remote: RemoteAgentDefinition = {
    agentCard,
    ...withoutNulls({ url, headers }),
    activity: activity ?? defaultActivity,
  }
  return {
    type: "WorkflowAgent",
    ...common,
    target: { name: agentCard, chart: null },
    remote,
    prompt,
    input,
    output,
    outputKey,
    maxModelCalls: null,
    maxDurationMs,
    budget: null,
  }
}
