import type { ModelService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"
import type { BaseAgent } from "../agents/base-agent.js"
import type { AgentTool } from "../tools/agent-tool.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { BaseToolset } from "../tools/base-toolset.js"

/** How an instance says what it is. A symbol, so that it never meets a method of a subclass. */
export const describe: unique symbol = Symbol("describe")

/** How a tool says whether a person has to approve a call. */
export const mustConfirm: unique symbol = Symbol("mustConfirm")

/**
 * Collects what a tree of agents consists of while the tree is walked once: the config says what is there, and what it can
 * only name (functions, models) is kept under that name.
 */
export interface Description {
  /** The config of an agent that stands inside of another one. */
  agent(agent: BaseAgent): JsonObject
  /** Keeps host code and returns its name. */
  service(name: string, service: HostService): string
  /** Keeps a model and returns its name. */
  model(name: string, model: ModelService): string
  /** Keeps a tool of code, with its function, and returns the name that agents call it by. `config` is asked for once. */
  globalTool(tool: BaseTool, usedBy: string, config: () => JsonObject, code: HostFunction): string
  /** Keeps a toolset and returns the name that agents call it by. */
  toolset(toolset: BaseToolset, usedBy: string, code: Toolset): string
  /** Has a tool asked about each of its calls whether a person has to approve it. */
  confirmation(tool: BaseTool): void
  /** How an agent's list of tools refers to an agent. */
  agentTool(tool: AgentTool, usedBy: string): unknown
  /** Agents and tools as callbacks are given them; known when the walk is done. */
  readonly parts: ProgramParts
}

/** Who answers to which name, for callbacks, which are told names only. */
export interface ProgramParts {
  agentNamed(name: string): BaseAgent
  toolNamed(name: string): BaseTool
}
