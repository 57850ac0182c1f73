import type { BaseTool } from "../tools/base-tool.js"
import { BaseTool as ToolClass } from "../tools/base-tool.js"
import { refuse } from "../common/refuse.js"
import type { NodeFields } from "../nodes/base-node.js"
import { BaseNode, copyNode } from "../nodes/base-node.js"
import { BaseAgent } from "../agents/base-agent.js"
import { FunctionNode, type NodeHandler } from "./nodes.js"
import { ParallelWorker } from "./parallel-worker.js"
import { ToolNode } from "./tool-node.js"

/** A value that can be used as a graph node: a node, an agent, a tool or a function. */
export type NodeLike = BaseNode | BaseTool | NodeHandler

export interface NodeOptions extends NodeFields {
  /** Name of the node. Default: the name of the function, agent or tool. */
  readonly name?: string
  readonly description?: string
  /** If true, the node runs once for each item of its input, which must be a list. */
  readonly parallelWorker?: boolean
  /** Maximum number of items that the node processes at the same time. Default: 8. */
  readonly maxParallelWorkers?: number
}

/**
 * Creates a graph node from a function, an agent, a tool or another node. If options are passed,
 * returns a copy and does not change the original.
 *
 * @example
 * const fetchRate = node(async (context, pair: string) => rates.get(pair), { name: "fetch_rate", timeout: 5 })
 * @throws AgentStatechartsError `definition_refused` for a function without a name, and for
 * `maxParallelWorkers` without `parallelWorker`.
 */
export function node(nodeLike: NodeLike, options: NodeOptions = {}): BaseNode {
  const { parallelWorker = false, maxParallelWorkers, ...fields } = options
  if (maxParallelWorkers !== undefined && !parallelWorker)
    refuse(
      "node() has maxParallelWorkers without parallelWorker.",
      "Add parallelWorker: true, or remove maxParallelWorkers.",
    )
  const { rerunOnResume, ...inner } = fields
  if (!parallelWorker) return configuredNode(nodeLike, fields)
  return new ParallelWorker(configuredNode(nodeLike, inner), {
    ...(maxParallelWorkers !== undefined && { maxParallelWorkers }),
    ...(rerunOnResume !== undefined && { rerunOnResume }),
  })
}

type NodeCopyOptions = Omit<NodeOptions, "parallelWorker" | "maxParallelWorkers">

function configuredNode(nodeLike: NodeLike, options: NodeCopyOptions): BaseNode {
  if (nodeLike instanceof BaseAgent && Object.keys(options).length > 0)
    return nodeLike.clone(options)
  if (nodeLike instanceof BaseNode)
    return Object.keys(options).length === 0 ? nodeLike : copyNode(nodeLike, options)
  if (nodeLike instanceof ToolClass) return new ToolNode(nodeLike, options)
  const { name = nodeLike.name, ...fields } = options
  if (name === "")
    refuse(
      "A function without a name cannot be a node.",
      'Pass { name }: node((context, input) => ..., { name: "check" }).',
    )
  return new FunctionNode(name, nodeLike, fields)
}
