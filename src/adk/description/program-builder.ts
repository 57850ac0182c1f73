import type { ModelService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"

/**
 * Key of the method with which an instance describes itself. A symbol cannot collide with a method
 * of a subclass.
 */
export const describe: unique symbol = Symbol("describe")

/** Key of the method that returns whether a person must approve a tool call. */
export const mustConfirm: unique symbol = Symbol("mustConfirm")

/** An agent that can describe itself. */
export interface DescribedAgent {
  readonly name: string
  [describe](program: ProgramBuilder): JsonObject
}

/** A tool that decides whether its calls need approval. */
export interface DescribedTool {
  readonly name: string
  [mustConfirm](host: HostContext, args: Record<string, unknown>): Promise<boolean>
}

/** A toolset that decides whether a call of one of its tools needs approval. */
export interface DescribedToolset {
  [mustConfirm](host: HostContext, name: string, args: Record<string, unknown>): Promise<boolean>
}

/** The agent that an AgentTool runs. */
export interface AgentToolTarget {
  readonly agent: DescribedAgent
  readonly skipSummarization: boolean
}

/**
 * Collects the program of an agent tree. Each agent and tool calls these methods once to describe
 * itself. The config refers to functions and models by name, and they are stored under this name.
 */
export interface ProgramBuilder<
  Agent extends DescribedAgent = DescribedAgent,
  Tool extends DescribedTool = DescribedTool,
> {
  /** Returns the config of an agent inside another agent. */
  agent(agent: Agent): JsonObject
  /** Stores a host function and returns its name. */
  service(name: string, service: HostService): string
  /** Stores a model service and returns its name. */
  model(name: string, model: ModelService): string
  /**
   * Stores a tool and its function, and returns the name that agents use for it. `config` is called
   * only for the first agent that uses the tool.
   */
  globalTool(tool: Tool, usedBy: string, config: () => JsonObject, code: HostFunction): string
  /** Stores a toolset and returns the name that agents use for it. */
  toolset(toolset: DescribedToolset, usedBy: string, code: Toolset): string
  /** Calls `mustConfirm` of the tool before each of its calls. */
  confirmation(tool: Tool): void
  /** Returns the entry of an AgentTool in the tool list of an agent. */
  agentTool(tool: Tool, target: AgentToolTarget, usedBy: string): unknown
  /** Agents and tools by name, for callbacks. Complete when the whole tree is described. */
  readonly parts: ProgramParts<Agent, Tool>
}

/** Finds the agents and tools of a program by name. */
export interface ProgramParts<Agent, Tool> {
  agentNamed(name: string): Agent
  toolNamed(name: string): Tool
}
