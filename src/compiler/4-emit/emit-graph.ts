import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { AgentNode, FunctionToolNode, WorkflowGraphNode } from "../2-resolve/agent-node.js"
import { leafMachine } from "./emit-leaf.js"
import { exitScopeOf, turnTransitions } from "./outcomes.js"
import { isLeafAgent } from "./region-budget.js"
import type { Next, Site } from "./site.js"
import { metaOf } from "./site.js"

/**
 * Emits a workflow graph as one state that invokes the machine `workflowGraph`. The nodes are not
 * states of the chart, because only the run determines which nodes run in parallel and how often.
 * Drawings show the nodes from the input of the machine.
 */
export function emitGraph(agent: WorkflowGraphNode, site: Site, next: Next): ChartState {
  return {
    meta: metaOf(site, agent),
    tags: ["workflow"],
    invoke: {
      id: site.place,
      src: "workflowGraph",
      input: { place: site.place, graph: graphOf(agent, site) },
      onDone: turnTransitions(site, next, [], true),
    },
  }
}

const graphOf = (agent: WorkflowGraphNode, site: Site): ChartGraph => ({
  nodes: agent.subAgents.map((node, index) => emitNode(node, index, site)),
  edges: agent.edges.map(({ from, to, route, otherwise }) => ({
    from,
    to,
    ...withoutNulls({ route }),
    ...(otherwise ? { otherwise: true as const } : {}),
  })),
  maxIterations: agent.maxIterations,
  ...exitScopeOf(site),
})

function emitNode(node: AgentNode, index: number, site: Site): ChartGraphNode {
  switch (node.type) {
    case "FunctionNode":
    case "RouterNode":
      return { id: node.id, kind: node.type, src: "hostCode", service: node.service }
    case "ToolNode":
      return emitToolNode(node)
    case "Workflow":
      if (node.hooks !== null) return machineNode(node, index, site)
      return {
        id: node.id,
        kind: node.type,
        src: "workflowGraph",
        graph: graphOf(node, { ...site, place: `${site.place}.${index}.${node.id}` }),
      }
    case "JoinNode":
      return { id: node.id, kind: node.type, src: null }
    default:
      return isLeafAgent(node)
        ? { id: node.id, kind: node.type, src: leafMachine(node, site.draft.workflow) }
        : machineNode(node, index, site)
  }
}

/**
 * Returns the graph node that calls a tool's function. If the tool needs approval, the node runs
 * the machine `toolNode`, which asks a person first.
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
    ...(requireConfirmation ? withoutNulls({ expiresInMs, onExpiry }) : {}),
  }
}

/** Returns the graph node of an agent that runs in its own machine. */
const machineNode = (
  node: AgentNode,
  index: number,
  { draft, place, skips }: Site,
): ChartGraphNode => ({
  id: node.id,
  kind: node.type,
  src: draft.subMachine(node, `${place}.${index}.${node.id}`, null, skips),
})
