import type { JsonObject } from "../../machines/data/json-object.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { NodeProgramBuilder } from "../nodes/base-node.js"
import { BaseNode, nodeOptions, nodesOfGraphs } from "../nodes/base-node.js"
import type { NodeHandler } from "./nodes.js"
import { FunctionNode } from "./nodes.js"

export interface ParallelWorkerOptions {
  /** Maximum number of items that the node processes at the same time. Default: 8. */
  readonly maxParallelWorkers?: number
  readonly rerunOnResume?: boolean
}

/**
 * A node that runs another node once for each item of its input list. Its output is the list of the
 * results, in the order of the items. It has the same name as the node that it runs.
 *
 * @throws AgentStatechartsError `definition_refused` if `maxParallelWorkers` is not a positive
 * integer.
 */
export class ParallelWorker extends BaseNode {
  readonly node: BaseNode
  readonly maxParallelWorkers: number

  constructor(
    nodeLike: BaseNode | NodeHandler,
    { maxParallelWorkers = 8, rerunOnResume = true }: ParallelWorkerOptions = {},
  ) {
    const node = nodeLike instanceof BaseNode ? nodeLike : new FunctionNode(nodeLike.name, nodeLike)
    super({ name: node.name, rerunOnResume })
    if (!Number.isInteger(maxParallelWorkers) || maxParallelWorkers < 1)
      refuse(
        `maxParallelWorkers of "${node.name}" is ${maxParallelWorkers}, which is not a positive integer.`,
        "Pass 1 or more.",
      )
    nodesOfGraphs.add(node)
    this.node = node
    this.maxParallelWorkers = maxParallelWorkers
  }

  override [describe](program: NodeProgramBuilder): JsonObject {
    return program.agent(this.node)
  }

  /** @internal */
  override [nodeOptions](): JsonObject {
    const { maxParallelWorkers } = this
    return { ...this.node[nodeOptions](), parallelWorker: true, maxParallelWorkers }
  }

  protected override runImpl(): AsyncGenerator<unknown, void, void> {
    return refuse(`The ParallelWorker "${this.name}" cannot be run directly.`, "Put it in an edge.")
  }
}
