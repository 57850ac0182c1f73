import type { ChartGraph, ChartGraphNode } from "../../machines/graph-shape.js"
import type { ChartState } from "../../machines/agent-chart.js"
import type { AgentNode, WorkflowGraphNode } from "../2-resolve/agent-node.js"
import { leafMachine } from "./emit-leaf.js"
import { turnTransitions } from "./outcomes.js"
import { isLeafAgent } from "./region-budget.js"
import type { Next, Site } from "./site.js"
import { metaOf } from "./site.js"

/**
 * A graph of nodes is one state that invokes the machine `workflowGraph`: which of its nodes are at work at once, and how often
 * each runs, is seen only when it runs, so they are no states of the chart. They are drawn from what the machine is given.
 */
export function emitGraph(agent: WorkflowGraphNode, site: Site, next: Next): ChartState {
  return {
    meta: metaOf(site, agent),
    tags: ["workflow"],
    invoke: { id: site.place, src: "workflowGraph", input: { place: site.place, graph: graphOf(agent, site) }, onDone: turnTransitions(site, next, [], true) },
  }
}

const graphOf = (agent: WorkflowGraphNode, site: Site): ChartGraph => ({
  nodes: agent.subAgents.map((node, index) => emitNode(node, index, site)),
  edges: agent.edges.map(({ from, to, route, otherwise }) => ({ from, to, ...(route === null ? {} : { route }), ...(otherwise ? { otherwise: true as const } : {}) })),
  maxIterations: agent.maxIterations,
})

function emitNode(node: AgentNode, index: number, site: Site): ChartGraphNode {
  const { draft, place, skips } = site
  switch (node.type) {
    case "FunctionNode":
    case "RouterNode":
    case "ToolNode":
      return { id: node.id, kind: node.type, src: "hostCode", service: node.service }
    case "Workflow":
      return { id: node.id, kind: node.type, src: "workflowGraph", graph: graphOf(node, { ...site, place: `${place}.${index}.${node.id}` }) }
    case "JoinNode":
      return { id: node.id, kind: node.type, src: null }
    default: {
      const src = isLeafAgent(node) ? leafMachine(node) : draft.subMachine(node, `${place}.${index}.${node.id}`, null, skips)
      return { id: node.id, kind: node.type, src }
    }
  }
}
