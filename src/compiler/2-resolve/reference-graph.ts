import type {
  AgentConfig,
  ParsedAgentTool,
  ParsedLlmAgent,
} from "../1-parse/config/agent-config.js"
import type { WorkflowConfig } from "../1-parse/config/workflow-config.js"
import { childConfigs } from "../1-parse/config/child-configs.js"
import type { LocatedId } from "../1-parse/config/named.js"
import { report } from "../diagnostics/config-location.js"
import { isHostedTool } from "../1-parse/adk/values/never-supported.js"
import { isUnsupportedTool, toolInstead } from "../1-parse/adk/tools/tool-classes.js"
import { describeValue } from "../diagnostics/show.js"
import { didYouMean } from "../../machines/data/suggest.js"
import type { AgentRegistry } from "./agent-registry.js"

/**
 * The agents of a config and the references between them. References to unknown ids are reported
 * and omitted. `targets` contains the agent that each AgentTool runs.
 */
export interface ReferenceGraph {
  readonly root: AgentConfig | null
  readonly edges: ReadonlyMap<AgentConfig, readonly ReferenceEdge[]>
  readonly targets: ReadonlyMap<ParsedAgentTool, AgentConfig>
}

/**
 * A reference from one agent to another. `tool` is the tool by which the first agent runs the other
 * agent. It is null if the other agent is a sub-agent.
 */
export interface ReferenceEdge {
  readonly to: AgentConfig
  readonly tool: ParsedAgentTool | null
  /**
   * The reference in the config. Null if the agent is nested in its parent, without a reference.
   */
  readonly reference: LocatedId | null
}

export function resolveReferences(config: WorkflowConfig, registry: AgentRegistry): ReferenceGraph {
  const targets = new Map<ParsedAgentTool, AgentConfig>()
  if (config.agents !== null) {
    for (const tool of registry.tools.values()) {
      if (tool.type !== "AgentTool" || tool.target === null) continue
      const target = findAgent(tool.target, registry, null)
      if (target !== null) targets.set(tool, target)
    }
  }
  const edges = new Map(
    registry.all.map((agent) => [agent, edgesOf(agent, config, registry, targets)]),
  )
  const known = config.root !== null && config.agents !== null
  return {
    root: known && config.root ? findAgent(config.root, registry, null) : null,
    edges,
    targets,
  }
}

function edgesOf(
  agent: AgentConfig,
  config: WorkflowConfig,
  registry: AgentRegistry,
  targets: ReadonlyMap<ParsedAgentTool, AgentConfig>,
): readonly ReferenceEdge[] {
  const edges: ReferenceEdge[] = []
  for (const child of childConfigs(agent)) {
    if (child.type === "inline") edges.push({ to: child.agent, tool: null, reference: null })
    else {
      const to = findAgent(child.to, registry, agent)
      if (to !== null) edges.push({ to, tool: null, reference: child.to })
    }
  }
  if (agent.type !== "LlmAgent" || config.tools === null) return edges
  const listed = new Set<string>()
  for (const { name } of agent.tools ?? []) {
    const tool = registry.tools.get(registry.registered.get(name.id) ?? name.id)
    if (tool === undefined) refuseTool(name, agent, registry)
    else if (listed.has(name.id)) {
      report(name.location, {
        code: "tool_listed_twice",
        severity: "warning",
        problem: `lists the tool ${describeValue(name.id)} again`,
        fix: "Remove one of the two entries of this tool from the list.",
      })
    } else if (tool.type === "AgentTool") {
      const to = targets.get(tool)
      if (to !== undefined) edges.push({ to, tool, reference: name })
    }
    listed.add(name.id)
  }
  return edges
}

function refuseTool(name: LocatedId, { dialect }: ParsedLlmAgent, registry: AgentRegistry): void {
  if (dialect === "adk" && isHostedTool(name.id)) {
    report(name.location, {
      code: "hosted_tool",
      severity: "warning",
      problem: `is ${describeValue(name.id)}, a tool that runs inside Google's models: it is not available to the agent`,
      fix: `Register your own tool under this name with the runner and list it in the compile option "services": { name: ${describeValue(name.id)}, kind: "tool" }. Or add an HttpTool with this id to "globalTools".`,
    })
    return
  }
  if (dialect === "adk" && isUnsupportedTool(name.id)) {
    report(name.location, {
      code: "unsupported_feature",
      problem: `is ${describeValue(name.id)}, an ADK tool class that is not supported`,
      fix: `${toolInstead(name.id)} To use a tool that is registered with the runner under this name, list it in the compile option "services".`,
    })
    return
  }
  report(name.location, {
    code: "unknown_tool",
    problem: `refers to the tool ${describeValue(name.id)}, which does not exist`,
    fix: `${didYouMean(name.location.parser.suggest(name.id, registry.tools.keys()))}Add the tool to "${name.location.parser.naming.name("globalTools")}", or remove this reference.`,
  })
}

/**
 * Returns the agent with an id. If the agent does not exist or must not be referenced from here,
 * reports an error and returns null. `from` is the container with the reference, or null if the
 * reference is not in a container.
 */
function findAgent(
  { id, location }: LocatedId,
  { agents, parents }: AgentRegistry,
  from: AgentConfig | null,
): AgentConfig | null {
  const agent = agents.get(id)
  if (agent === undefined) {
    const suggestion = didYouMean(location.parser.suggest(id, agents.keys()))
    return report(location, {
      code: "unknown_agent",
      problem: `refers to the agent ${describeValue(id)}, which does not exist`,
      fix: `${suggestion}Write the id of an agent of this workflow, or add the agent.`,
    })
  }
  const parent = parents.get(agent)
  if (parent === undefined || parent.type !== "LlmAgent") return agent
  const team = `the agent ${describeValue(id)}, which is a handoff target inside its parent, ${parent.location.owner.label}`
  const fix = `If ${describeValue(id)} is not a handoff target, move it to "agents" of the workflow. Otherwise define a separate agent and refer to that agent here.`
  return from?.type === "ParallelAgent"
    ? report(location, {
        code: "handoff_across_branches",
        problem: `uses ${team}, as a parallel branch: a handoff cannot lead into another branch`,
        fix,
      })
    : report(location, {
        code: "inline_agent_referenced",
        problem: `refers to ${team}, and cannot be used elsewhere`,
        fix,
      })
}
