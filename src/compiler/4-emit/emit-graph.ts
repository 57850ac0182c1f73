import type { JsonObject } from "../../machines/data/json-object.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { AgentNode, FunctionToolNode, WorkflowGraphNode } from "../2-resolve/agent-node.js"
import { leafMachine } from "./emit-leaf.js"
import { exitScopeOf, turnTransitions } from "./outcomes.js"
import { isLeafAgent } from "./region-budget.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { metaOf } from "./state-position.js"

/**
 * Generates the state of a workflow graph. It invokes the machine `workflowGraph`, or `nodeRun` for
 * a graph with `triggering: "each"`. The nodes have no states of their own, because their order and
 * number of runs are only known during a run. Drawings show the nodes from the input of the
 * machine.
 */
export function emitGraph(
  agent: WorkflowGraphNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { place } = site
  const machine =
    agent.triggering === "each"
      ? {
          src: "nodeRun",
          input: {
            place,
            node: inheritStateSchema(withOptions(graphNode(agent, site), agent.id, agent)),
          },
        }
      : { src: "workflowGraph", input: { place, graph: graphOf(agent, site) } }
  return {
    meta: metaOf(site, agent),
    tags: ["workflow"],
    invoke: {
      id: place,
      ...machine,
      onDone: turnTransitions(site, next, [], true),
    },
  }
}

const graphOf = (agent: WorkflowGraphNode, site: StatePosition): ChartGraph => ({
  nodes: agent.subAgents.map((node, index) =>
    agent.triggering === "each"
      ? withOptions(emitNode(node, index, site, agent), node.id, agent)
      : emitNode(node, index, site, agent),
  ),
  edges: agent.edges.map(({ from, to, route, otherwise }) => ({
    from,
    to,
    ...withoutNulls({ route }),
    ...(otherwise && { otherwise: true as const }),
  })),
  maxIterations: agent.maxIterations,
  ...(agent.triggering === "each" && {
    triggering: agent.triggering,
    ...withoutNulls({ maxConcurrency: agent.maxConcurrency }),
  }),
  ...exitScopeOf(site),
})

/**
 * Returns a graph node that runs a whole inner graph. It is used for graphs with
 * `triggering: "each"`. The machine `triggeredGraph` executes the inner graph.
 */
const graphNode = (agent: WorkflowGraphNode, site: StatePosition): ChartGraphNode => ({
  id: agent.id,
  kind: agent.type,
  src: "triggeredGraph",
  graph: graphOf(agent, site),
})

/**
 * Returns a graph node with the options that its graph sets for it. A node that runs once for each
 * item is wrapped in a `parallelWorker` node.
 */
function withOptions(
  node: ChartGraphNode,
  id: string,
  { nodeOptions }: WorkflowGraphNode,
): ChartGraphNode {
  const found = nodeOptions.get(id)
  if (found === undefined) return node
  const { options, isWorker } = found
  if (!isWorker) return Object.keys(options).length === 0 ? node : { ...node, options }
  // Callbacks run before and after the whole worker. All other options apply to the run of each
  // item.
  const { maxParallelWorkers, beforeNode, afterNode, ...own } = options
  const worker = Object.keys(own).length === 0 ? node : { ...node, options: own }
  const outer = {
    ...(maxParallelWorkers !== undefined && { maxParallelWorkers }),
    ...(beforeNode !== undefined && { beforeNode }),
    ...(afterNode !== undefined && { afterNode }),
  }
  return { id, kind: node.kind, src: "parallelWorker", worker, options: outer }
}

/**
 * Returns a graph node with the state schema of its graph, unless the node has a state schema of
 * its own. The nodes of nested graphs inherit the schema too.
 */
function inheritStateSchema(node: ChartGraphNode, inherited?: JsonObject): ChartGraphNode {
  const { options, graph, worker } = node
  const stateSchema = options?.stateSchema ?? inherited
  if (stateSchema === undefined && graph === undefined && worker === undefined) return node
  return {
    ...node,
    ...(graph !== undefined && {
      graph: { ...graph, nodes: graph.nodes.map((one) => inheritStateSchema(one, stateSchema)) },
    }),
    ...(worker !== undefined && { worker: inheritStateSchema(worker, stateSchema) }),
    ...(stateSchema !== undefined && { options: { ...options, stateSchema } }),
  }
}

function emitNode(
  node: AgentNode,
  index: number,
  site: StatePosition,
  { triggering }: WorkflowGraphNode,
): ChartGraphNode {
  switch (node.type) {
    case "FunctionNode":
    case "RouterNode":
      return { id: node.id, kind: node.type, src: "hostCode", service: node.service }
    case "ToolNode":
      return emitToolNode(node)
    case "Workflow":
      return emitInnerGraph(node, index, site, triggering)
    case "JoinNode":
      return { id: node.id, kind: node.type, src: null }
    default:
      return isLeafAgent(node)
        ? { id: node.id, kind: node.type, src: leafMachine(node, site.draft.workflow) }
        : machineNode(node, index, site)
  }
}

/**
 * Returns the graph node of a nested graph. The nested graph runs in a separate machine if it has
 * callbacks, or if its setting `triggering` differs from that of the outer graph.
 */
function emitInnerGraph(
  node: WorkflowGraphNode,
  index: number,
  site: StatePosition,
  triggering: WorkflowGraphNode["triggering"],
): ChartGraphNode {
  if (node.hooks !== null || node.triggering !== triggering) return machineNode(node, index, site)
  const inner = { ...site, place: `${site.place}.${index}.${node.id}` }
  if (triggering === "each") return graphNode(node, inner)
  return { id: node.id, kind: node.type, src: "workflowGraph", graph: graphOf(node, inner) }
}

/**
 * Returns the graph node that calls the host function of a tool. If the tool needs approval, the
 * node runs the machine `toolNode`, which requests the approval first.
 */
function emitToolNode(node: FunctionToolNode): ChartGraphNode {
  const { id, type, service, tool, parameters, requireConfirmation, expiresInMs, onExpiry } = node
  return {
    id,
    kind: type,
    src: requireConfirmation ? "toolNode" : "hostCode",
    service,
    tool,
    ...withoutNulls({ parameters }),
    ...(requireConfirmation && withoutNulls({ expiresInMs, onExpiry })),
  }
}

/** Generates a separate machine for an agent, and returns the graph node that runs this machine. */
const machineNode = (
  node: AgentNode,
  index: number,
  { draft, place, skips }: StatePosition,
): ChartGraphNode => ({
  id: node.id,
  kind: node.type,
  src: draft.subMachine(node, `${place}.${index}.${node.id}`, null, skips),
})
