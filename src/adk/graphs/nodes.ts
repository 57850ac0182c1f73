import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { AgentDescription } from "../agents/base-agent.js"
import { ChartedAgent } from "../agents/charted-agent.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import { describe } from "../description/description.js"
import { refuse } from "../common/refuse.js"
import { NodeContext } from "./node-context.js"

/**
 * The function of a node: it gets the output of the node before it, or an object of outputs by name where several came, and returns its
 * own output. A node whose edges have routes sets `context.route`.
 */
export type NodeHandler = (context: NodeContext, input: never) => unknown

/** The older form, with the input first. A node whose edges have routes returns the route: a text, or `{ route, output }`. */
export type NodeFunction = (input: never, context: Context) => unknown

export interface FunctionNodeConfig {
  /** Unique in the tree. */
  readonly name: string
  readonly description?: string
  readonly func: NodeFunction
  /** The routes that it may choose: then it is checked that each has an edge. */
  readonly routes?: readonly string[]
}

export interface FunctionNodeOptions {
  readonly description?: string
}

/** How a Workflow tells a node that its edges have routes. A symbol, so that it never meets a method of a subclass. */
export const choosesRoutes: unique symbol = Symbol("choosesRoutes")

/**
 * A function as a node of a Workflow. A function that stands in an edge itself is a node of its own name.
 *
 * @example
 * const count = new FunctionNode("count", (context, text: string) => text.split(" ").length)
 * @throws AgentStatechartsError `definition_refused` for a node without a name or a function.
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

  override [describe](into: AgentDescription): JsonObject {
    const { name, description, routes } = this
    const service = into.service(`${name}.func`, this.#code(this.#isRouter))
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
    // What comes to a node is whatever the nodes before it gave: the function says what it takes.
    const returned = expectValue(name, await call(context, input as never))
    applyActions(context.actions, host)
    const output = returned ?? context.output
    return isRouter ? { route: context.route ?? null, output: output ?? null } : output
  }

/** What ADK takes for more than a value would be passed on as if it were one. */
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
    // What comes to a node is whatever the nodes before it gave: the function says what it takes.
    const output = await call(input as never, context)
    applyActions(context.actions, host)
    return output
  }

/** A node that waits for the ways that were taken to it, and gives on an object of their outputs by name. */
export class JoinNode extends ChartedAgent {
  override [describe](): JsonObject {
    const { name, description } = this
    return { agentClass: "JoinNode", name, ...(description !== undefined && { description }) }
  }
}
