import type {
  AgentConfig,
  EdgeConfig,
  ParsedCodeNode,
  ParsedToolNode,
  ParsedWorkflowGraph,
} from "../1-parse/config/agent-config.js"
import { startName } from "../agent-types/graph-nodes.js"
import { report } from "../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../diagnostics/show.js"
import { didYouMean } from "../../machines/data/suggest.js"
import type { AgentRegistry } from "./agent-registry.js"
import { depthFirst } from "./depth-first.js"
import type { ReferenceGraph } from "./reference-graph.js"

/**
 * Reports errors and warnings for graphs with invalid edges, and errors for graph nodes that are
 * outside of graphs (docs/semantics.md#workflow-graphs).
 */
export function refuseBrokenGraphs(graph: ReferenceGraph, registry: AgentRegistry): void {
  for (const [agent, references] of graph.edges) {
    if (agent.type === "Workflow") refuseBrokenGraph(agent, registry)
    else
      for (const { to, reference } of references)
        refuseStrayNode(to, reference?.location ?? to.location)
    if (agent.type === "ToolNode") refuseWrongTool(agent, registry)
  }
  if (graph.root !== null) refuseStrayNode(graph.root, graph.root.location)
}

const nodeTypes: ReadonlySet<unknown> = new Set([
  "FunctionNode",
  "RouterNode",
  "ToolNode",
  "JoinNode",
])

function refuseStrayNode(node: AgentConfig, location: AgentConfig["location"]): void {
  if (!nodeTypes.has(node.type)) return
  report(location, {
    code: "broken_graph",
    problem: `${location === node.location ? "is" : `refers to ${describeValue(node.id)}, a ${node.type},`} outside a Workflow, where only agents can run`,
    fix: "Move the node into a Workflow. To run a host function as an agent, use a CustomAgent.",
  })
}

function refuseWrongTool({ tool: name }: ParsedToolNode, { tools }: AgentRegistry): void {
  if (name === null) return
  const tool = tools.get(name.id)
  if (tool === undefined) {
    report(name.location, {
      code: "unknown_tool",
      problem: `refers to the tool ${describeValue(name.id)}, which does not exist`,
      fix: `${didYouMean(name.location.parser.suggest(name.id, tools.keys()))}Add the tool to "globalTools", or write the name of its function in the field "toolCode".`,
    })
  } else if (tool.type !== "FunctionTool" && tool.type !== null) {
    report(name.location, {
      code: "broken_graph",
      problem: `is ${describeValue(name.id)}, an ${tool.type}; a ToolNode can only run a FunctionTool`,
      fix:
        tool.type === "AgentTool"
          ? "Make the agent itself a node."
          : "Give the tool to an LlmAgent and make that agent a node, or call it in a FunctionNode.",
    })
  }
}

function refuseBrokenGraph(workflow: ParsedWorkflowGraph, registry: AgentRegistry): void {
  const { edges } = workflow
  if (edges.length === 0) return
  if (!edges.some(({ from }) => from === null)) {
    report(workflow.fieldAt("edges"), {
      code: "broken_graph",
      problem: `has no edge from ${startName}, so the graph never starts`,
      fix: `Add an edge to the first node: ["${startName}", ${describeValue(edges[0]?.from?.name.id)}].`,
    })
    return
  }
  const leaving = new Map<string | null, EdgeConfig[]>()
  for (const edge of edges) {
    const from = edge.from?.name.id ?? null
    const known = leaving.get(from)
    if (known === undefined) leaving.set(from, [edge])
    else known.push(edge)
  }
  warnOfUnreached(workflow, leaving)
  for (const [from, out] of leaving) {
    const router = from === null ? undefined : registry.agents.get(from)
    if (from === null) refuseRoutesFromStart(out)
    else if (router?.type === "RouterNode" || router?.type === "FunctionNode")
      refuseMissingRoutes(router, out, workflow)
  }
  warnOfEndlessCycles(workflow, leaving)
}

type Leaving = ReadonlyMap<string | null, readonly EdgeConfig[]>

function warnOfUnreached({ subAgents, fieldAt }: ParsedWorkflowGraph, leaving: Leaving): void {
  const reached = new Set<string>()
  const pending: (string | null)[] = [null]
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    for (const { to } of leaving.get(from) ?? []) {
      if (reached.has(to.name.id)) continue
      reached.add(to.name.id)
      pending.push(to.name.id)
    }
  }
  for (const node of subAgents) {
    const id = node.type === "inline" ? node.agent.id : node.to.id
    if (id === null || reached.has(id)) continue
    report(node.location, {
      code: "unreachable_agent",
      severity: "warning",
      problem: `has the node ${describeValue(id)}, which never runs: it cannot be reached from ${startName}`,
      fix: `Add an edge that leads to the node in "${fieldAt("edges").field}", or remove the node.`,
    })
  }
}

function refuseRoutesFromStart(edges: readonly EdgeConfig[]): void {
  for (const { route, otherwise, location } of edges) {
    if (route === null && !otherwise) continue
    report(location, {
      code: "broken_graph",
      problem: `has a route, but ${startName} does not choose a route`,
      fix: "Remove the route from the edge, or start the graph with a node that chooses a route.",
    })
  }
}

/**
 * Reports the routes of a router that have no edge, and the edges whose route the router never
 * chooses.
 */
function refuseMissingRoutes(
  router: ParsedCodeNode,
  out: readonly EdgeConfig[],
  { fieldAt }: ParsedWorkflowGraph,
): void {
  const routed = out.filter(({ route, otherwise }) => route !== null || otherwise)
  if (routed.length === 0) {
    if (router.type === "RouterNode") {
      report(router.location, {
        code: "no_effect",
        severity: "warning",
        problem: "chooses a route, but none of its edges has a route: all edges are followed",
        fix: 'Add routes to its edges, such as {"from": ..., "routes": {"good": ...}}.',
      })
    }
    return
  }
  const known = new Set(routed.map(({ route }) => route))
  const missing = routed.some(({ otherwise }) => otherwise)
    ? []
    : (router.routes ?? []).filter((route) => !known.has(route))
  if (missing.length > 0) {
    report(fieldAt("edges"), {
      code: "missing_route",
      problem: `has no edge from ${describeValue(router.id)} for ${missing.length === 1 ? "the route" : "the routes"} ${oneOfThese(missing.map(describeValue))}, which it may choose`,
      fix: 'Add an edge for each route, or add a "default".',
    })
  }
  for (const { route, location } of routed) {
    if (route === null || router.routes === null || router.routes.includes(route)) continue
    report(location, {
      code: "no_effect",
      severity: "warning",
      problem: `is for the route ${describeValue(route)}, which ${describeValue(router.id)} never chooses`,
      fix: `${didYouMean(location.parser.suggest(route, router.routes))}The node ${describeValue(router.id)} chooses ${oneOfThese(router.routes.map(describeValue))}.`,
    })
  }
}

/**
 * Reports a warning for each cycle of edges without routes. Such edges are always followed, so the
 * cycle only ends when a node reaches its maximum number of runs.
 */
function warnOfEndlessCycles(workflow: ParsedWorkflowGraph, leaving: Leaving): void {
  const always = (node: string | null) =>
    (leaving.get(node) ?? [])
      .filter(({ route, otherwise }) => route === null && !otherwise)
      .map((edge) => ({ to: edge.to.name.id, edge }))
  for (const { edge } of depthFirst<string | null, { to: string; edge: EdgeConfig }>([null], always)
    .closing) {
    report(edge.location, {
      code: "endless_loop",
      severity: "warning",
      problem:
        "closes a cycle without a condition, so the cycle repeats until the maximum number of iterations ends the run",
      fix: `Add a route to this edge, so that a node decides whether the cycle repeats.${workflow.maxIterations === null ? ` By default, a node runs at most ten times; "${workflow.location.parser.naming.name("maxIterations")}" changes this maximum.` : ""}`,
    })
  }
}
