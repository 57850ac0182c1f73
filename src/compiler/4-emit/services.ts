import type { ChartServices } from "../../machines/agent-chart.js"
import type { AgentNode, Workflow } from "../2-resolve/agent-node.js"

type Kind = ChartServices[string]["kind"]

/** Host code that a chart needs by name, each with the first agent that needs it: a run without one of them does not start. */
export function servicesOf(workflow: Workflow): ChartServices {
  const services: Record<string, ChartServices[string]> = {}
  for (const agent of workflow.agents.values()) {
    for (const [name, kind] of namesOf(agent, workflow)) if (!Object.hasOwn(services, name)) services[name] = { kind, usedBy: agent.id }
  }
  return services
}

function namesOf(agent: AgentNode, { tools }: Workflow): readonly (readonly [name: string, kind: Kind])[] {
  if (agent.type === "CustomAgent") return [[agent.service, "agent"]]
  if (agent.type !== "LlmAgent") return []
  const { hooks = {}, policies = [], instructionService } = agent.adk ?? {}
  const functions = agent.tools.flatMap((id): readonly (readonly [string, Kind])[] => {
    const tool = tools.get(id)
    if (tool?.type === "Toolset") return [[tool.service, "toolset"]]
    return tool?.type === "FunctionTool" ? [[tool.service, "tool"]] : []
  })
  return [
    ...(instructionService === undefined ? [] : [[instructionService, "instruction"] as const]),
    ...Object.values(hooks).flatMap((names: readonly string[]) => names.map((name) => [name, "callback"] as const)),
    ...policies.map((name) => [name, "policy"] as const),
    ...functions,
  ]
}
