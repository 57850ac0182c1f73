import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { AgentProgramBuilder } from "../agents/base-agent.js"
import { ChartedAgent } from "../agents/charted-agent.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import { NodeContext } from "./node-context.js"

/**
 * The function of a node. Its input is the output of the previous node. After several nodes, the
 * input is an object of outputs by node name. The function returns the output of its own node. If
 * the outgoing edges have routes, it sets `context.route`.
 */
export type NodeHandler = (context: NodeContext, input: never) => unknown

/**
 * The deprecated form of a node function, with the input as first argument. If the outgoing edges
 * have routes, it returns the route as a string or as `{ route, output }`.
 */
export type NodeFunction = (input: never, context: Context) => unknown

export interface FunctionNodeConfig {
  /** The name of the node, unique in the agent tree. */
  readonly name: string
  readonly description?: string
  readonly func: NodeFunction
  /**
   * The routes that the function can return. If set, the compiler checks that each route has an
   * edge.
   */
  readonly routes?: readonly string[]
}

export interface FunctionNodeOptions {
  readonly description?: string
}

/**
 * Key of the method with which a Workflow marks a node whose edges have routes. A symbol cannot
 * collide with a method of a subclass.
 */
export const choosesRoutes: unique symbol = Symbol("choosesRoutes")

/**
 * A function as a node of a Workflow. You can also put a plain function into an edge; the node then
 * has the name of the function.
 *
 * @example
 * const count = new FunctionNode("count", (context, text: string) => text.split(" ").length)
 * @throws AgentStatechartsError `definition_refused` if the name or the function is missing.
 */
export class FunctionNode extends ChartedAgent {
  readonly func: NodeHandler | NodeFunction
  readonly routes: readonly string[] | undefined
  readonly #code: (isRouter: boolean) => HostFunction
  #isRouter = false

  constructor(name: string, handler: NodeHandler, options?: FunctionNodeOptions)
  /** @deprecated Pass the name and a function of `(context, input)`. */
  constructor(config: FunctionNodeConfig)
  constructor(
    given: string | FunctionNodeConfig,
    handler?: NodeHandler,
    options: FunctionNodeOptions = {},
  ) {
    const { name, func, description, routes, ...others } =
      typeof given === "string"
        ? { name: given, func: handler, ...options, routes: undefined }
        : { ...given, ...options }
    if (typeof name !== "string" || name === "" || typeof func !== "function")
      refuse(
        "A FunctionNode needs a name and a function.",
        'Write new FunctionNode("check", (context, input) => ...).',
      )
    super({ name, ...(description !== undefined && { description }), ...others })
    this.func = func as NodeHandler | NodeFunction
    this.routes = routes
    this.#code =
      typeof given === "string"
        ? (isRouter) => handlerCode(name, func as NodeHandler, isRouter)
        : () => nodeCode(func as NodeFunction)
  }

  /** @internal */
  [choosesRoutes](): void {
    this.#isRouter = true
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { name, description, routes } = this
    const service = program.service(`${name}.func`, this.#code(this.#isRouter))
    return {
      agentClass: "FunctionNode",
      name,
      ...(description !== undefined && { description }),
      service,
      ...(routes !== undefined && { routes: [...routes] }),
      ...this.otherOptions,
    }
  }
}

const handlerCode =
  (name: string, call: NodeHandler, isRouter: boolean): HostFunction =>
  async (host, input) => {
    const context = new NodeContext(host)
    // The input is the output of other nodes. The function declares the type that it expects.
    const returned = expectValue(name, await call(context, input as never))
    applyActions(context.actions, host)
    const output = returned ?? context.output
    return isRouter ? { route: context.route ?? null, output: output ?? null } : output
  }

/**
 * Throws if a node function returns a generator or an event, which have a special meaning in ADK.
 * Returns any other value unchanged.
 */
function expectValue(name: string, returned: unknown): unknown {
  if (typeof returned !== "object" || returned === null) return returned
  if (Symbol.asyncIterator in returned || "next" in returned)
    return refuse(
      `The function of the node "${name}" is a generator, which is not supported.`,
      "Return the output, and set context.route to choose a route.",
    )
  if ("actions" in returned && "author" in returned && "invocationId" in returned)
    return refuse(
      `The function of the node "${name}" returned an event, which is not supported.`,
      "Return the output itself, set context.route to choose a route, and write to context.state.",
    )
  return returned
}

const nodeCode =
  (call: NodeFunction): HostFunction =>
  async (host, input) => {
    const context = new Context(host)
    // The input is the output of other nodes. The function declares the type that it expects.
    const output = await call(input as never, context)
    applyActions(context.actions, host)
    return output
  }

/**
 * A node that waits until all incoming edges that were taken have delivered their outputs. Its own
 * output is an object of these outputs by node name.
 */
export class JoinNode extends ChartedAgent {
  override [describe](): JsonObject {
    const { name, description } = this
    return { agentClass: "JoinNode", name, ...(description !== undefined && { description }) }
  }
}
