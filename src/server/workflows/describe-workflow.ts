import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { ServedWorkflow } from "./served-workflows.js"

/** Maximum number of agents that the description of a workflow mentions. */
const maxNamed = 12

/**
 * Returns the root agent of a workflow. Returns undefined if the root is a container, such as a
 * SequentialAgent, because the chart has no agent definition for containers.
 */
export const rootAgentOf = ({ chart }: ServedWorkflow): AgentDefinition | undefined =>
  chart.agents[chart.machines[chart.root]?.meta.agent ?? ""]

/**
 * Returns the description of a workflow. If it has none, returns the names and descriptions of its
 * agents.
 */
export function describeWorkflow(workflow: ServedWorkflow): string {
  if (workflow.description !== null && workflow.description !== "") return workflow.description
  const agents = Object.entries(workflow.chart.agents)
  const named = agents
    .slice(0, maxNamed)
    .map(([id, { description }]) => ((description ?? "") === "" ? id : `${id} (${description})`))
  const more = agents.length > maxNamed ? `, and ${agents.length - maxNamed} more` : ""
  return `The workflow ${workflow.id} with the agents ${named.join(", ")}${more}.`
}
