import type { BaseNodeConfig, NodeProgramBuilder } from "../nodes/base-node.js"
import { BaseNode, commonOptions, copyNode, nodeOptions } from "../nodes/base-node.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { Context } from "../context/context.js"
import type { Content } from "../events/content.js"
import type { Event } from "../events/event.js"
import { describe } from "../description/program-builder.js"
import { agentHook, callbackField } from "../callbacks/hooks.js"
import { listOf, type OneOrMore } from "../common/one-or-more.js"
import { programOf } from "../program/program.js"
import { refuse } from "../common/refuse.js"
import type { InvocationContext } from "./invocation-context.js"
import { customAgentCode } from "./invocation-context.js"

/**
 * Collects the config, the functions and the models of a tree of agents. `programOf` passes it to
 * each agent of the tree, and the agent adds its parts.
 */
export type AgentProgramBuilder = NodeProgramBuilder

type MaybePromise<Value> = Value | Promise<Value>

export type SingleAgentCallback = (context: Context) => MaybePromise<Content | undefined>
/**
 * A callback that is called before the agent's turn. If it returns a content, the turn is skipped
 * and the content becomes the agent's text.
 */
export type BeforeAgentCallback = OneOrMore<SingleAgentCallback>
/**
 * A callback that is called after the agent's turn. If it returns a content, the content replaces
 * the agent's text.
 */
export type AfterAgentCallback = OneOrMore<SingleAgentCallback>

export interface BaseAgentConfig extends BaseNodeConfig {
  readonly subAgents?: readonly BaseAgent[]
  readonly beforeAgentCallback?: BeforeAgentCallback
  readonly afterAgentCallback?: AfterAgentCallback
}

/**
 * Base class of agents. To write a custom agent, extend this class and implement `runAsyncImpl`,
 * which runs sub-agents and yields events.
 *
 * Each run of a sub-agent is a recorded step. After a restart, the generator starts from the
 * beginning and receives the recorded results. Therefore its decisions must depend only on the
 * state and on events.
 *
 * @example
 * class Retry extends BaseAgent {
 *   constructor(readonly writer: BaseAgent) {
 *     super({ name: "retry", subAgents: [writer] })
 *   }
 *   protected override async *runAsyncImpl(context: InvocationContext) {
 *     yield* this.writer.runAsync(context)
 *     if (context.session.state.verdict === "bad") yield* this.writer.runAsync(context)
 *   }
 * }
 */
export abstract class BaseAgent extends BaseNode {
  readonly subAgents: readonly BaseAgent[]
  readonly beforeAgentCallback: readonly SingleAgentCallback[]
  readonly afterAgentCallback: readonly SingleAgentCallback[]

  constructor(config: BaseAgentConfig) {
    super(config)
    this.subAgents = [...(config.subAgents ?? [])]
    this.beforeAgentCallback = listOf(config.beforeAgentCallback)
    this.afterAgentCallback = listOf(config.afterAgentCallback)
    for (const child of this.subAgents) {
      const parent = parents.get(child)
      if (parent !== undefined) {
        refuse(
          `The agent "${child.name}" is already a sub-agent of "${parent.name}" and cannot have "${this.name}" as a second parent.`,
          "Create another instance with a different name, or pass the agent to one of the parents as an AgentTool.",
        )
      }
      parents.set(child, this)
    }
  }

  /** The agent whose `subAgents` contain this agent. Undefined for the root agent. */
  get parentAgent(): BaseAgent | undefined {
    return parents.get(this)
  }

  get rootAgent(): BaseAgent {
    return this.parentAgent?.rootAgent ?? this
  }

  /**
   * Returns the agent with this name, which is this agent or one of its descendants. Returns
   * undefined if there is no such agent.
   */
  findAgent(name: string): BaseAgent | undefined {
    return this.name === name ? this : this.findSubAgent(name)
  }

  findSubAgent(name: string): BaseAgent | undefined {
    for (const child of this.subAgents) {
      const found = child.findAgent(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /**
   * Runs this agent as a sub-agent of a custom agent, and records its run as one step. Yields all
   * events of the agent after it has finished.
   */
  async *runAsync(context: InvocationContext): AsyncGenerator<Event, void, void> {
    yield* await context.runAgent(this.name)
  }

  /**
   * Returns a copy of this agent without a parent. Sub-agents are copied too. `overrides` replaces
   * constructor options.
   */
  clone(overrides: Partial<BaseAgentConfig> = {}): this {
    const subAgents = overrides.subAgents ?? this.subAgents.map((child) => child.clone())
    const copy = copyNode(this, { ...overrides, subAgents })
    for (const child of subAgents) parents.set(child, copy)
    return copy
  }

  protected override runImpl(): AsyncGenerator<unknown, void, void> {
    return refuse(
      `The agent "${this.name}" cannot be run directly: its chart runs it.`,
      "Make it a node of a Workflow.",
    )
  }

  /** @internal */
  override [nodeOptions](): JsonObject {
    return commonOptions(this)
  }

  /**
   * Implements a custom agent. Override this method to run sub-agents with `runAsync` and to yield
   * events.
   */
  protected abstract runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void, void>

  /**
   * Declared only for compatibility with ADK programs that override it. This method is never
   * called, because audio and video are not supported.
   */
  protected async *runLiveImpl(_context: InvocationContext): AsyncGenerator<Event, void, void> {}

  /**
   * Returns the config of this agent tree in ADK's format, which `compile(agent)` reads. The config
   * refers to callbacks and tools by name, and `programOf` returns these functions.
   */
  toJSON(): JsonObject {
    return programOf(this).config
  }

  /** @internal */
  override [describe](program: AgentProgramBuilder): JsonObject {
    const { name } = this
    const service = program.service(
      `${name}.runAsyncImpl`,
      customAgentCode((context) => this.runAsyncImpl(context)),
    )
    return { agentClass: "CustomAgent", ...describeAgent(this, program), service }
  }
}

/** Maps each sub-agent to its parent agent. */
const parents = new WeakMap<BaseAgent, BaseAgent>()

/**
 * Returns the config fields that all agent classes share, such as the name, the callbacks and the
 * sub-agents.
 */
export function describeAgent(
  agent: BaseAgent,
  program: AgentProgramBuilder,
  subAgents = agent.subAgents,
): JsonObject {
  const { name, description } = agent
  return {
    name,
    ...(description !== undefined && { description }),
    ...callbackField(
      program,
      name,
      "beforeAgentCallback",
      agent.beforeAgentCallback.map(agentHook),
    ),
    ...callbackField(program, name, "afterAgentCallback", agent.afterAgentCallback.map(agentHook)),
    ...(subAgents.length > 0 && { subAgents: subAgents.map((child) => program.agent(child)) }),
  }
}
