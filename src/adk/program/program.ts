import type { ModelService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"
import type { BaseAgent } from "../agents/base-agent.js"
import type { BasePlugin } from "../plugins/base-plugin.js"
import { refuse } from "../refuse.js"
import { AgentTool } from "../tools/agent-tool.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { BaseToolset } from "../tools/base-toolset.js"
import { ChartedTool } from "../tools/charted-tool.js"
import type { Description } from "./description.js"
import { describe, mustConfirm } from "./description.js"

/** What a tree of agents is as data, and what the data names. */
export interface AgentProgram {
  /** ADK's own form: the root agent with its sub-agents inside. Plain JSON, for `compile`. */
  readonly config: JsonObject
  /** Functions by the names that the config has for them, for a runner's `services`. They are made of agent and tool names, so a resumed run finds them again. */
  readonly services: Readonly<Record<string, HostService>>
  /** Models that were given as objects, for a runner's `models`. */
  readonly models: Readonly<Record<string, ModelService>>
}

/**
 * Takes a tree of agents apart into what is data and what is code.
 *
 * @example
 * const { config, services, models } = programOf(rootAgent)
 * const { chart } = compile(config)
 * const run = createRunner({ services, models: { ...models, small } }).start(chart, { prompt: "Hello!" })
 * @throws AgentStatechartsError `definition_refused` for what cannot stand in one config, such as two tools of one name.
 */
export function programOf(
  root: BaseAgent,
  { plugins = [] }: { readonly plugins?: readonly BasePlugin[] } = {},
): AgentProgram {
  const walk = new Walk()
  const agent = walk.agent(root)
  const described = [...plugins.map((plugin) => plugin[describe](walk)), ...walk.confirmations()]
  const config = {
    ...agent,
    ...(walk.globalTools.length > 0 && { globalTools: walk.globalTools }),
    ...(described.length > 0 && { plugins: described }),
  }
  return {
    config,
    services: Object.fromEntries(walk.services),
    models: Object.fromEntries(walk.models),
  }
}

class Walk implements Description {
  readonly services = new Map<string, HostService>()
  readonly models = new Map<string, ModelService>()
  readonly globalTools: JsonObject[] = []
  readonly #agents = new Map<string, BaseAgent>()
  readonly #tools = new Map<string, { readonly tool: BaseTool; readonly usedBy: string }>()
  readonly #toolsets = new Map<BaseToolset, string>()
  readonly #asked = new Set<string>()
  /** The agents that the walk is inside of. */
  readonly #inside = new Set<BaseAgent>()

  readonly parts = {
    agentNamed: (name: string): BaseAgent =>
      this.#agents.get(name) ??
      refuse(
        `The agent "${name}" does not exist in this program.`,
        "Add callbacks to agents of the same tree only.",
      ),
    toolNamed: (name: string): BaseTool => this.#tools.get(name)?.tool ?? new ListedTool(name),
  }

  agent(agent: BaseAgent): JsonObject {
    if (this.#inside.has(agent))
      refuse(
        `The agent "${agent.name}" contains itself: one of its descendants uses it as an AgentTool.`,
        "Remove the cycle. To repeat agents, use a LoopAgent.",
      )
    this.#inside.add(agent)
    this.#agents.set(agent.name, agent)
    const config = agent[describe](this)
    this.#inside.delete(agent)
    return config
  }

  service(name: string, service: HostService): string {
    if (this.services.has(name))
      refuse(
        `Two functions have the name "${name}".`,
        "Give each agent and each plugin a unique name.",
      )
    this.services.set(name, service)
    return name
  }

  model(name: string, model: ModelService): string {
    this.models.set(name, model)
    return name
  }

  globalTool(tool: BaseTool, usedBy: string, config: () => JsonObject, code: HostFunction): string {
    if (!this.#isKnown(tool, usedBy)) {
      this.service(tool.name, code)
      this.globalTools.push(config())
    }
    return tool.name
  }

  /** A toolset has no name of its own: it has one after the first agent that uses it. */
  toolset(toolset: BaseToolset, usedBy: string, code: Toolset): string {
    const known = this.#toolsets.get(toolset)
    if (known !== undefined) return known
    const nth = [...this.#toolsets.values()].filter((name) =>
      name.startsWith(`${usedBy}_toolset`),
    ).length
    const id = `${usedBy}_toolset${nth === 0 ? "" : `_${nth + 1}`}`
    this.#toolsets.set(toolset, id)
    this.globalTools.push({
      type: "Toolset",
      id,
      service: this.service(`${usedBy}.toolset${nth === 0 ? "" : `.${nth + 1}`}`, code),
    })
    return id
  }

  confirmation(tool: BaseTool): void {
    this.#asked.add(tool.name)
  }

  /**
   * Tools that decide about confirmations, and those of toolsets, which the chart knows nothing of, judge calls as a policy does.
   * It comes last, so that what others deny is denied.
   */
  confirmations(): readonly JsonObject[] {
    if (this.#asked.size === 0 && this.#toolsets.size === 0) return []
    const judge: HostFunction = async (host, input) => {
      const { tool, args } = input as {
        readonly tool: string
        readonly args: Record<string, unknown>
      }
      return (await this.#mustConfirm(host, tool, args)) ? { outcome: "CONFIRM" } : undefined
    }
    return [
      {
        type: "SecurityPlugin",
        name: "confirmations",
        policyEngine: this.service("tools.requireConfirmation", judge),
      },
    ]
  }

  async #mustConfirm(
    host: HostContext,
    name: string,
    args: Record<string, unknown>,
  ): Promise<boolean> {
    const known = this.#tools.get(name)?.tool
    if (known !== undefined) return this.#asked.has(name) && known[mustConfirm](host, args)
    for (const toolset of this.#toolsets.keys())
      if (await toolset[mustConfirm](host, name, args)) return true
    return false
  }

  agentTool(tool: AgentTool, usedBy: string): unknown {
    const { name, agent, skipSummarization } = tool
    if (this.#isKnown(tool, usedBy)) return name
    return {
      name: "AgentTool",
      args: { agent: this.agent(agent), ...(skipSummarization && { skipSummarization }) },
    }
  }

  /** Agents may share a tool; two tools of one name cannot be told apart in a config. */
  #isKnown(tool: BaseTool, usedBy: string): boolean {
    const known = this.#tools.get(tool.name)
    if (known === undefined) {
      this.#tools.set(tool.name, { tool, usedBy })
      return false
    }
    if (!areOne(known.tool, tool)) {
      refuse(
        known.usedBy === usedBy
          ? `The agent "${usedBy}" has two tools with the name "${tool.name}".`
          : `The agents "${known.usedBy}" and "${usedBy}" have two different tools with the name "${tool.name}".`,
        "Share one tool, or give each tool a unique name.",
      )
    }
    return true
  }
}

const areOne = (one: BaseTool, other: BaseTool): boolean =>
  one === other ||
  (one instanceof AgentTool &&
    other instanceof AgentTool &&
    one.agent === other.agent &&
    one.skipSummarization === other.skipSummarization)

/** A tool that no instance stands for: one of a toolset, or a transfer. */
class ListedTool extends ChartedTool {
  constructor(name: string) {
    super({ name, description: "" })
  }
}
