import type { ModelService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"

/**
 * Key of the method that returns the config of an agent, tool, toolset or plugin. The key is a
 * symbol, so it cannot collide with a method of a subclass.
 */
export const describe: unique symbol = Symbol("describe")

/** Key of the method that returns whether a person must approve a tool call. */
export const mustConfirm: unique symbol = Symbol("mustConfirm")

/** An agent that can return its own config. */
export interface DescribedAgent {
  readonly name: string
  [describe](program: ProgramBuilder): JsonObject
}

/** A tool that can decide whether its calls need a person's approval. */
export interface DescribedTool {
  readonly name: string
  [mustConfirm](host: HostContext, args: Record<string, unknown>): Promise<boolean>
}

/** A toolset that can decide whether the calls of its tools need a person's approval. */
export interface DescribedToolset {
  [mustConfirm](host: HostContext, name: string, args: Record<string, unknown>): Promise<boolean>
}

/** The agent that an AgentTool runs when a model calls the tool. */
export interface AgentToolTarget {
  readonly agent: DescribedAgent
  readonly skipSummarization: boolean
}

/**
 * Collects the config, the functions and the models of an agent tree. Each agent and tool calls
 * these methods to register its functions and models. The config refers to them by the returned
 * names.
 */
export interface ProgramBuilder<
  Agent extends DescribedAgent = DescribedAgent,
  Tool extends DescribedTool = DescribedTool,
> {
  /** Returns the config of an agent that is contained in another agent. */
  agent(agent: Agent): JsonObject
  /** Registers a host function and returns the name under which the config refers to it. */
  service(name: string, service: HostService): string
  /** Registers a model service and returns the name under which the config refers to it. */
  model(name: string, model: ModelService): string
  /**
   * Registers a tool and its function. Returns the name under which agents refer to the tool.
   * `config` is called only for the first agent that uses the tool.
   */
  globalTool(tool: Tool, usedBy: string, config: () => JsonObject, code: HostFunction): string
  /** Registers a toolset and returns the name under which agents refer to it. */
  toolset(toolset: DescribedToolset, usedBy: string, code: Toolset): string
  /**
   * Names of the services that plugins have registered as callbacks before and after each graph
   * node.
   */
  readonly nodeCallbacks: NodeCallbacks
  /**
   * Registers a tool whose `mustConfirm` method must be called before each tool call, to decide
   * whether a person must approve the call.
   */
  confirmation(tool: Tool): void
  /** Returns the config of an AgentTool as an entry in the tool list of an agent. */
  agentTool(tool: Tool, target: AgentToolTarget, usedBy: string): unknown
  /**
   * Looks up agents and tools by name, for callbacks. Complete only after the configs of all agents
   * in the tree have been created.
   */
  readonly parts: ProgramParts<Agent, Tool>
}

/**
 * Names of the services that are called before and after each graph node. Plugins add their
 * callbacks to these lists.
 */
export interface NodeCallbacks {
  readonly beforeNode: string[]
  readonly afterNode: string[]
}

/** Looks up the agents and tools of an agent tree by name. */
export interface ProgramParts<Agent, Tool> {
  agentNamed(name: string): Agent
  toolNamed(name: string): Tool
}
