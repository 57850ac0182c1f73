import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { ServedWorkflow } from "./served-workflows.js"

/** More agents are not named. */
const mostNamed = 12

/** The agent that a workflow begins with; undefined where that is a container, of which a chart keeps no more than its states. */
export const rootAgentOf = ({ chart }: ServedWorkflow): AgentDefinition | undefined =>
  chart.agents[chart.machines[chart.root]?.meta.agent ?? ""]

/** What a workflow is for, as others are told: what it says itself, else who works in it. */
export function describeWorkflow(workflow: ServedWorkflow): string {
  if (workflow.description !== null && workflow.description !== "") return workflow.description
  const agents = Object.entries(workflow.chart.agents)
  const named = agents
    .slice(0, mostNamed)
    .map(([id, { description }]) => ((description ?? "") === "" ? id : `${id} (${description})`))
  const more = agents.length > mostNamed ? `, and ${agents.length - mostNamed} more` : ""
  return `The workflow ${workflow.id}. Its agents: ${named.join(", ")}${more}.`
}
