import { report } from "../diagnostics/config-location.js"
import type { ToolConfig } from "../1-parse/config/agent-config.js"
import { describeValue } from "../diagnostics/show.js"
import type { AgentNode, ResolvedTool, WorkflowTree } from "../2-resolve/agent-node.js"
import { hasOutputSchema, subAgentsOf } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/**
 * Reports warnings for agents that never run and hints for tools that no agent uses. If unreachable
 * agents refer to each other, only agents that no other unreachable agent refers to are reported.
 */
export function warnOfUnreachable({ workflow, agents, tools }: ResolvedWorkflow): void {
  const reached = reachable(workflow)
  const leftOver = [...workflow.agents.values()].filter((agent) => !reached.has(agent))
  const mentioned = new Set(leftOver.flatMap((agent) => leadsTo(agent, workflow)))
  const used = new Set(
    [...workflow.agents.values()].flatMap((agent) =>
      agent.type === "LlmAgent" ? agent.tools : [],
    ),
  )
  const runBy = new Map(
    [...workflow.tools.values()].flatMap((tool) =>
      tool.type === "AgentTool" ? [[tool.target, tool.id] as const] : [],
    ),
  )
  for (const agent of leftOver) {
    const config = agents.get(agent.id)
    if (config === undefined || mentioned.has(agent)) continue
    const tool = runBy.get(agent)
    report(config.location, {
      code: "unreachable_agent",
      severity: "warning",
      problem: `never runs: ${tool === undefined ? "nothing refers to it" : `only the tool ${describeValue(tool)}, which no agent uses, runs it`}`,
      fix: "Refer to the agent in a SequentialAgent, another container, an LlmAgent or a tool, or remove the agent.",
    })
  }
  const operations = new Set<ToolConfig>()
  for (const config of tools.values())
    if (config.type === "OpenAPIToolset") for (const tool of config.tools) operations.add(tool)
  for (const [id, config] of tools) {
    // The tool `preload_memory` only exists if an agent lists it, so it is never unused.
    if (used.has(id) || operations.has(config) || config.type === "PreloadMemoryTool") continue
    if (config.type === "OpenAPIToolset" && config.tools.some((tool) => used.has(tool.id ?? "")))
      continue
    report(config.location, {
      code: "unused_tool",
      severity: "hint",
      problem: "is not used by any agent",
      fix: `Add ${describeValue(id)} to the "tools" of an LlmAgent, or remove the tool.`,
    })
  }
}

/** Returns the agents that the root can run, directly or through other agents and tools. */
export function reachable(workflow: WorkflowTree): ReadonlySet<AgentNode> {
  const reached = new Set([workflow.root])
  // The loop also visits the agents that it adds to the Set.
  for (const agent of reached) for (const next of leadsTo(agent, workflow)) reached.add(next)
  return reached
}

const leadsTo = (agent: AgentNode, { tools }: WorkflowTree): readonly AgentNode[] => [
  ...(agent.type === "LlmAgent" && hasOutputSchema(agent) ? [] : subAgentsOf(agent)),
  ...(agent.type === "LlmAgent" ? agent.tools.flatMap((id) => targetOf(tools.get(id))) : []),
]

const targetOf = (tool: ResolvedTool | undefined): readonly AgentNode[] =>
  tool?.type === "AgentTool" ? [tool.target] : []
