import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "../agents/base-agent.js"
import { ChartedAgent } from "../agents/charted-agent.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { NodeFields } from "../nodes/base-node.js"
import { BaseNode, commonOptions, nodeOptions } from "../nodes/base-node.js"
import { nodeCode } from "../nodes/node-code.js"
import type { NodeContext } from "../nodes/node-context.js"

/**
 * The function of a graph node. Its input is the output of the node that triggered it. The function
 * returns an output, an event or a `RequestInput`, or yields several of them.
 */
export type NodeHandler = (context: NodeContext, input: never) => unknown

/**
 * The deprecated form of a node function, with the input as its first argument. If the outgoing
 * edges have routes, the function returns the route as a string or as `{ route, output }`.
 */
export type NodeFunction = (input: never, context: Context) => unknown

export interface FunctionNodeConfig extends NodeFields {
  /** Name of the node. It must be unique in the agent tree. */
  readonly name: string
  readonly description?: string
  readonly func: NodeFunction
  /**
   * Routes that the function can return. If set, the compiler checks that each route has an edge.
   */
  readonly routes?: readonly string[]
}

export interface FunctionNodeOptions extends NodeFields {
  readonly description?: string
}

/**
 * A Workflow node that calls a function. An edge can also contain a plain function. The node then
 * has the name of the function.
 *
 * @example
 * const count = new FunctionNode("count", (context, text: string) => text.split(" ").length)
 * @throws AgentStatechartsError `definition_refused` if the name or the function is missing.
 */
export class FunctionNode extends ChartedAgent {
  readonly func: NodeHandler | NodeFunction
  readonly routes: readonly string[] | undefined
  private readonly isHandler: boolean

  constructor(name: string, handler: NodeHandler, options?: FunctionNodeOptions)
  /** @deprecated Pass the name and a function of `(context, input)`. */
  constructor(config: FunctionNodeConfig)
  constructor(
    given: string | FunctionNodeConfig,
    handler?: NodeHandler,
    options: FunctionNodeOptions = {},
  ) {
    const { name, func, routes, ...others } =
      typeof given === "string"
        ? { name: given, func: handler, ...options, routes: undefined }
        : { ...given, ...options }
    if (typeof name !== "string" || name === "" || typeof func !== "function")
      refuse(
        "A FunctionNode needs a name and a function.",
        'Write new FunctionNode("check", (context, input) => ...).',
      )
    super({ name, ...others }, ["inputSchema", "outputSchema"])
    this.func = func as NodeHandler | NodeFunction
    this.routes = routes
    this.isHandler = typeof given === "string"
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { name, description, routes, func, isHandler } = this
    const code = isHandler ? nodeCode(this, func as NodeHandler) : oldCode(func as NodeFunction)
    return {
      agentClass: "FunctionNode",
      name,
      ...(description !== undefined && { description }),
      service: program.service(`${name}.func`, code),
      ...(routes !== undefined && { routes: [...routes] }),
      ...this.otherOptions,
    }
  }

  /** @internal */
  override [nodeOptions](): JsonObject {
    return { ...commonOptions(this), ...(this.isHandler && { returnsNodeResult: true }) }
  }
}

const oldCode =
  (call: NodeFunction): HostFunction =>
  async (host, input) => {
    const context = new Context(host)
    // The input is the output of other nodes. The function declares the type that it expects.
    const output = await call(input as never, context)
    applyActions(context.actions, host)
    return output
  }

/**
 * A node that runs after all of its predecessors have ended. Its output is an object that contains
 * their outputs by node name.
 */
export class JoinNode extends ChartedAgent {
  constructor(config: BaseAgentConfig) {
    super(config)
  }

  override [describe](): JsonObject {
    const { name, description } = this
    return { agentClass: "JoinNode", name, ...(description !== undefined && { description }) }
  }
}

/**
 * Base class for graph nodes that are implemented as a class. Extend this class and implement
 * `runNodeImpl`, which yields outputs, events and questions.
 */
export abstract class WorkflowNode<TInput = unknown, TOutput = unknown> extends BaseNode<
  TInput,
  TOutput
> {
  protected abstract runNodeImpl(
    context: NodeContext,
    input: TInput,
  ): AsyncGenerator<TOutput | unknown, void, void>

  protected override runImpl(
    context: NodeContext,
    input: TInput,
  ): AsyncGenerator<TOutput | unknown, void, void> {
    return this.runNodeImpl(context, input)
  }
}
