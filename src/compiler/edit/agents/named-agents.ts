import { childConfigs } from "../../1-parse/config/child-configs.js"
import type { AgentConfig, SubAgentConfig, ToolConfig } from "../../1-parse/config/agent-config.js"
import type { LocatedId } from "../../1-parse/config/named.js"
import type { ParsedWorkflow } from "../../parse-workflow.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"
import { pointerKeys } from "../../document/json-pointer.js"
import { EditRefused } from "../contract/edit-command.js"

/**
 * The use of an agent as a sub-agent or as a graph node of another agent (`parent`). `location` is
 * the location of an entry of a list of sub-agents, or of an edge that defines the node.
 */
export interface AgentUse {
  readonly parent: IndexedAgent
  /** Index in the list of sub-agents, or -1 if the agent is a graph node. */
  readonly index: number
  /** Whether the entry refers by name to an agent in the workflow's list of agents. */
  readonly isReference: boolean
  readonly location: ConfigLocation
}

/** An agent of a config, with the agents and tools that use it. */
export interface IndexedAgent {
  readonly name: string
  readonly config: AgentConfig
  /** Index in the workflow's list of agents. Null if the agent is not defined in this list. */
  readonly listIndex: number | null
  readonly uses: AgentUse[]
  /** Names of the agent's sub-agents, in order. */
  readonly children: string[]
  /** Names of the tools that run the agent. */
  readonly tools: string[]
}

/** All agents of a config by name, with the references between them. */
export class NamedAgents {
  readonly parsed: ParsedWorkflow
  readonly #agents = new Map<string, IndexedAgent>()
  readonly #duplicates = new Set<string>()
  readonly #uses: (readonly [name: string, use: AgentUse])[] = []
  readonly #toolUses: (readonly [name: string, tool: string])[] = []
  /**
   * The locations of the references to each agent, by the agent's name. They include the reference
   * to the root agent in the config.
   */
  readonly #references = new Map<string, ConfigLocation[]>()

  constructor(parsed: ParsedWorkflow) {
    this.parsed = parsed
    const { agents, tools, root } = parsed.workflow
    if (root !== null && this.definesList) this.#refer(root)
    for (const [index, agent] of (agents ?? []).entries())
      this.#define(agent, this.definesList ? index : null)
    for (const agent of agents ?? []) this.#visit(agent)
    for (const tool of tools ?? []) this.#visitTool(tool)
    for (const [name, use] of this.#uses) this.#agents.get(name)?.uses.push(use)
    for (const [name, tool] of this.#toolUses) this.#agents.get(name)?.tools.push(tool)
  }

  /**
   * Whether the config has a list of agents. If false, the config is the root agent, which contains
   * its sub-agents.
   */
  get definesList(): boolean {
    return !this.parsed.workflow.registeredTools
  }

  get rootName(): string | null {
    return this.parsed.workflow.root?.id ?? null
  }

  agents(): readonly IndexedAgent[] {
    return [...this.#agents.values()]
  }

  has(name: string): boolean {
    return this.#agents.has(name)
  }

  find(name: string): IndexedAgent | undefined {
    return this.#agents.get(name)
  }

  /**
   * Returns the agent with a name. Throws EditRefused if there is no such agent, or more than one.
   */
  get(name: string): IndexedAgent {
    const agent = this.#agents.get(name)
    if (agent === undefined)
      throw new EditRefused(
        "agent_unknown",
        `The config has no agent "${name}".`,
        "Use the name of an agent in the config.",
      )
    if (this.#duplicates.has(name))
      throw new EditRefused(
        "agent_ambiguous",
        `The config has several agents with the name "${name}".`,
        "Rename one of them in the text.",
      )
    return agent
  }

  referencesTo(name: string): readonly ConfigLocation[] {
    return this.#references.get(name) ?? []
  }

  #define(config: AgentConfig, listIndex: number | null): void {
    const name = config.id
    if (name === null) return
    if (this.#agents.has(name)) this.#duplicates.add(name)
    else this.#agents.set(name, { name, config, listIndex, uses: [], children: [], tools: [] })
  }

  #visit(root: AgentConfig): void {
    const pending: AgentConfig[] = [root]
    for (let agent = pending.pop(); agent !== undefined; agent = pending.pop()) {
      const own = agent.id === null ? undefined : this.#agents.get(agent.id)
      const children = childConfigs(agent)
      for (const child of children) {
        if (child.type === "inline") this.#define(child.agent, null)
        else this.#refer(child.to)
        if (own?.config === agent) this.#use(own, child)
      }
      for (const child of children.toReversed())
        if (child.type === "inline") pending.push(child.agent)
      if (agent.type === "LlmAgent")
        for (const { own: tool } of agent.tools ?? []) if (tool !== null) this.#visitTool(tool)
      if (agent.type === "Workflow")
        for (const { from, to } of agent.edges)
          for (const node of [from, to]) if (node?.own === null) this.#refer(node.name)
    }
  }

  #use(parent: IndexedAgent, child: SubAgentConfig): void {
    const name = child.type === "inline" ? child.agent.id : child.to.id
    if (name === null) return
    parent.children.push(name)
    const last = pointerKeys(child.location.pointer).at(-1) ?? ""
    const isListed = parent.config.type !== "Workflow" && /^\d+$/.test(last)
    this.#uses.push([
      name,
      {
        parent,
        index: isListed ? Number(last) : -1,
        isReference: child.type === "reference",
        location: child.location,
      },
    ])
  }

  #visitTool(tool: ToolConfig): void {
    if (tool.type !== "AgentTool") return
    const { inline, target, id } = tool
    if (inline !== null) {
      this.#define(inline, null)
      this.#visit(inline)
    } else if (target !== null) this.#refer(target)
    const name = inline?.id ?? target?.id
    if (name !== undefined) this.#toolUses.push([name, id ?? "an AgentTool"])
  }

  #refer({ id, location }: LocatedId): void {
    const known = this.#references.get(id)
    if (known === undefined) this.#references.set(id, [location])
    else known.push(location)
  }
}
