import { isTurnMachine } from "../../machines/registry/turn-machines.js"
import type { AgentKind } from "../../machines/contract/chart-machine.js"
import type { ChartGraphEdge, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import { kindName } from "./describe-agent.js"
import type { Arrow, Level, PictureState } from "../picture/picture.js"
import type { StateNames } from "./state-names.js"

/**
 * Converts a workflow graph of ADK to states and arrows. Each node becomes a state, and each edge
 * becomes an arrow that is labeled with its route. The callback `leaf` draws a single agent. The
 * callback `machine` draws a machine of the chart, which it finds by its key.
 */
export function graphLevel(
  graph: unknown,
  names: StateNames,
  leaf: (id: string, agent: string) => PictureState,
  machine: (key: string) => Level,
): Level {
  const { nodes, edges, triggering } = readGraph(graph)
  const ids = nodes.map(({ id }) => names.next(id))
  const incoming = new Map<number, number>()
  for (const { to } of edges) incoming.set(to, (incoming.get(to) ?? 0) + 1)
  const states = nodes.map((node, index): PictureState => {
    const drawn = drawNode(node.worker ?? node, ids[index] ?? node.id, names, leaf, machine)
    const isJoined = triggering === "each" && (incoming.get(index) ?? 0) > 1
    const lines = [
      ...(node.worker === undefined ? [] : ["for each item"]),
      ...(!isJoined ? [] : [node.kind === "JoinNode" ? "waits for all" : "runs for each trigger"]),
    ]
    return lines.length === 0 ? drawn : { ...drawn, lines: [...drawn.lines, ...lines] }
  })
  const leaving = new Set(edges.map(({ from }) => from))
  const ends = ids
    .filter((_, index) => !leaving.has(index))
    .map((id): Arrow => ({ from: id, to: null, labels: [] }))
  return { states, arrows: [...mergeArrows(edges.map((edge) => arrowOf(edge, ids))), ...ends] }
}

const arrowOf = (
  { from, to, route, otherwise }: ChartGraphEdge,
  ids: readonly string[],
): Arrow => ({
  from: ids[from] ?? null,
  to: ids[to] ?? null,
  labels: route !== undefined ? [route] : otherwise === true ? ["otherwise"] : [],
})

/** Merges all arrows between the same two nodes into one arrow with several labels. */
function mergeArrows(arrows: readonly Arrow[]): readonly Arrow[] {
  const merged = new Map<string, Arrow>()
  for (const arrow of arrows) {
    const key = JSON.stringify([arrow.from, arrow.to])
    const known = merged.get(key)
    // An unconditional edge is always taken, so the routes of parallel edges are not shown.
    const labels =
      known === undefined
        ? arrow.labels
        : known.labels.length === 0 || arrow.labels.length === 0
          ? []
          : [...known.labels, ...arrow.labels]
    merged.set(key, { ...arrow, labels })
  }
  return [...merged.values()]
}

function drawNode(
  node: ChartGraphNode,
  id: string,
  names: StateNames,
  leaf: (id: string, agent: string) => PictureState,
  machine: (key: string) => Level,
): PictureState {
  const { kind, src, graph } = node
  if (graph !== undefined)
    return {
      id,
      look: kind,
      title: `${node.id} (${kindName(kind)})`,
      lines: [],
      regions: [graphLevel(graph, names, leaf, machine)],
      agent: node.id,
    }
  if (src === null || src === "hostCode" || src === "toolNode")
    return { id, look: kind, title: node.id, lines: [kindName(kind)], regions: [], agent: node.id }
  if (kind === "LlmAgent" || kind === "HumanAgent" || kind === "WaitAgent") {
    if (isTurnMachine(src) || src === "humanAgent" || src === "waitAgent") return leaf(id, node.id)
  }
  const level = machine(src)
  const [only] = level.states
  return only !== undefined && level.states.length === 1
    ? { ...only, id }
    : { id, look: kind, title: node.id, lines: [], regions: [level], agent: node.id }
}

/**
 * Returns the nodes and edges of a graph. Validates the graph, because a user may have edited the
 * chart. Invalid nodes and edges are omitted.
 */
function readGraph(graph: unknown): {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  readonly triggering: unknown
} {
  if (typeof graph !== "object" || graph === null || !("nodes" in graph) || !("edges" in graph))
    return { nodes: [], edges: [], triggering: undefined }
  const nodes = Array.isArray(graph.nodes)
    ? graph.nodes.flatMap((node: unknown) => readNode(node) ?? [])
    : []
  const edges = Array.isArray(graph.edges)
    ? graph.edges.flatMap((edge: unknown) => readEdge(edge) ?? [])
    : []
  return { nodes, edges, triggering: "triggering" in graph ? graph.triggering : undefined }
}

function readNode(node: unknown): ChartGraphNode | null {
  if (typeof node !== "object" || node === null || !("id" in node)) return null
  const { id, kind, src, graph } = { kind: "LlmAgent", src: null, graph: undefined, ...node }
  // The cast is harmless, because a node of an unknown kind is drawn like any other node.
  return {
    id: String(id),
    kind: String(kind) as AgentKind,
    src: src === null ? null : String(src),
    ...(graph !== undefined && { graph }),
    ...workerOf(node),
  }
}

/**
 * Returns `{ worker }` for a ParallelWorker node, where `worker` is the node that it runs for each
 * item. Returns an empty object for other nodes.
 */
function workerOf(node: object): Pick<ChartGraphNode, "worker"> {
  const worker = "worker" in node ? readNode(node.worker) : null
  return worker === null ? {} : { worker }
}

function readEdge(edge: unknown): ChartGraphEdge | null {
  if (typeof edge !== "object" || edge === null || !("from" in edge) || !("to" in edge)) return null
  const route = "route" in edge ? { route: String(edge.route) } : {}
  return {
    from: Number(edge.from),
    to: Number(edge.to),
    ...route,
    ...("otherwise" in edge && { otherwise: true }),
  }
}
