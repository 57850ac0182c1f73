import type { ModelService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"
import { refuse } from "../common/refuse.js"
import type {
  AgentToolTarget,
  DescribedAgent,
  DescribedToolset,
  NodeCallbacks,
  ProgramBuilder,
} from "../description/program-builder.js"
import { describe, mustConfirm } from "../description/program-builder.js"
import type { BaseTool } from "../tools/base-tool.js"
import { ChartedTool } from "../tools/charted-tool.js"

interface KnownTool {
  readonly tool: BaseTool
  readonly usedBy: string
  /** The agent that the tool runs. Null if the tool is not an AgentTool. */
  readonly target: AgentToolTarget | null
}

/** Collects the config, the functions and the models of one agent tree. */
export class TreeProgramBuilder<Agent extends DescribedAgent> implements ProgramBuilder<
  Agent,
  BaseTool
> {
  readonly services = new Map<string, HostService>()
  readonly models = new Map<string, ModelService>()
  readonly globalTools: JsonObject[] = []
  readonly nodeCallbacks: NodeCallbacks = { beforeNode: [], afterNode: [] }
  readonly #agents = new Map<string, Agent>()
  readonly #tools = new Map<string, KnownTool>()
  readonly #toolsets = new Map<DescribedToolset, string>()
  /**
   * Names of the tools whose calls a person may have to approve. The tool's method `mustConfirm`
   * decides this for each call.
   */
  readonly #confirmed = new Set<string>()
  /**
   * The agent that is currently being described, and its ancestors. Used to detect agents that
   * contain themselves.
   */
  readonly #open = new Set<DescribedAgent>()

  readonly parts = {
    agentNamed: (name: string): Agent =>
      this.#agents.get(name) ??
      refuse(
        `The agent "${name}" does not exist in this program.`,
        "Add callbacks to agents of the same tree only.",
      ),
    toolNamed: (name: string): BaseTool => this.#tools.get(name)?.tool ?? new ListedTool(name),
  }

  agent(agent: Agent): JsonObject {
    if (this.#open.has(agent))
      refuse(
        `The agent "${agent.name}" contains itself: one of its descendants uses it as an AgentTool.`,
        "Remove the cycle. To repeat agents, use a LoopAgent.",
      )
    this.#open.add(agent)
    this.#agents.set(agent.name, agent)
    const config = agent[describe](this)
    this.#open.delete(agent)
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

  /**
   * Registers a toolset and returns its id. A toolset has no name, so its id contains the name of
   * the first agent that uses it, such as `writer_toolset`.
   */
  toolset(toolset: DescribedToolset, usedBy: string, code: Toolset): string {
    const known = this.#toolsets.get(toolset)
    if (known !== undefined) return known
    const count = [...this.#toolsets.values()].filter((name) =>
      name.startsWith(`${usedBy}_toolset`),
    ).length
    const id = `${usedBy}_toolset${count === 0 ? "" : `_${count + 1}`}`
    this.#toolsets.set(toolset, id)
    this.globalTools.push({
      type: "Toolset",
      id,
      service: this.service(`${usedBy}.toolset${count === 0 ? "" : `.${count + 1}`}`, code),
    })
    return id
  }

  confirmation(tool: BaseTool): void {
    this.#confirmed.add(tool.name)
  }

  /**
   * Returns a list with a policy that decides whether a person must approve a tool call. The policy
   * calls the tool's method `mustConfirm`. The list is empty if no tool needs this policy. Toolsets
   * always need it, because their tools are not known in advance. The policy comes last, so a call
   * that another policy denies stays denied.
   */
  confirmations(): readonly JsonObject[] {
    if (this.#confirmed.size === 0 && this.#toolsets.size === 0) return []
    const policy: HostFunction = async (host, input) => {
      // The machines call every policy with the tool's name and its arguments.
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
        policyEngine: this.service("tools.requireConfirmation", policy),
      },
    ]
  }

  async #mustConfirm(
    host: HostContext,
    name: string,
    args: Record<string, unknown>,
  ): Promise<boolean> {
    const known = this.#tools.get(name)?.tool
    if (known !== undefined) return this.#confirmed.has(name) && known[mustConfirm](host, args)
    for (const toolset of this.#toolsets.keys())
      if (await toolset[mustConfirm](host, name, args)) return true
    return false
  }

  agentTool(
    tool: BaseTool,
    target: AgentToolTarget & { readonly agent: Agent },
    usedBy: string,
  ): unknown {
    if (this.#isKnown(tool, usedBy, target)) return tool.name
    const { agent, skipSummarization } = target
    return {
      name: "AgentTool",
      args: { agent: this.agent(agent), ...(skipSummarization && { skipSummarization }) },
    }
  }

  /**
   * Returns whether the tool is already registered, and registers it if it is not. Several agents
   * can share a tool object.
   * @throws AgentStatechartsError `definition_refused` if another tool has the same name.
   */
  #isKnown(tool: BaseTool, usedBy: string, target: AgentToolTarget | null = null): boolean {
    const known = this.#tools.get(tool.name)
    if (known === undefined) {
      this.#tools.set(tool.name, { tool, usedBy, target })
      return false
    }
    if (known.tool !== tool && !isSameTarget(known.target, target)) {
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

const isSameTarget = (one: AgentToolTarget | null, other: AgentToolTarget | null): boolean =>
  one !== null &&
  other !== null &&
  one.agent === other.agent &&
  one.skipSummarization === other.skipSummarization

/**
 * A tool of which only the name is known: a tool of a toolset, or `transfer_to_agent`. Callbacks
 * receive it instead of the tool object.
 */
class ListedTool extends ChartedTool {
  constructor(name: string) {
    super({ name, description: "" })
  }
}
