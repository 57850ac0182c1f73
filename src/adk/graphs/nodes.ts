import type { JsonObject } from "../../machines/contract.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import { ChartedAgent } from "../agents/charted-agent.js"
import { carryOut } from "../callbacks/carry-out.js"
import { Context } from "../callbacks/context.js"
import type { Description } from "../program/description.js"
import { describe } from "../program/description.js"

/**
 * A node that is code: is given the output of the node before it, or an object of outputs by name where several came, and returns
 * its own. A node whose edges have routes returns the route instead: a text, or `{ route, output }`.
 */
export type NodeFunction = (input: never, context: Context) => unknown

export interface FunctionNodeConfig {
  /** Unique in the tree. */
  readonly name: string
  readonly description?: string
  readonly func: NodeFunction
  /** The routes that it may choose: then it is checked that each has an edge. */
  readonly routes?: readonly string[]
}

/** A function as a node of a Workflow. A function that stands in an edge itself is a node of its own name. */
export class FunctionNode extends ChartedAgent {
  readonly func: NodeFunction
  readonly routes: readonly string[] | undefined

  constructor({ name, description, func, routes }: FunctionNodeConfig) {
    super({ name, ...(description !== undefined && { description }) })
    this.func = func
    this.routes = routes
  }

  override [describe](into: Description): JsonObject {
    const { name, description, routes } = this
    const service = into.service(`${name}.func`, nodeCode(this.func))
    return {
      agentClass: "FunctionNode",
      name,
      ...(description !== undefined && { description }),
      service,
      ...(routes !== undefined && { routes: [...routes] }),
    }
  }
}

const nodeCode =
  (call: NodeFunction): HostFunction =>
  async (host, input) => {
    const context = new Context(host)
    // What comes to a node is whatever the nodes before it gave: the function says what it takes.
    const output = await call(input as never, context)
    carryOut(context.actions, host)
    return output
  }

/** A node that waits for the ways that were taken to it, and gives on an object of their outputs by name. */
export class JoinNode extends ChartedAgent {
  override [describe](): JsonObject {
    const { name, description } = this
    return { agentClass: "JoinNode", name, ...(description !== undefined && { description }) }
  }
}
