import { refuse } from "../common/refuse.js"
import { BaseNode } from "../nodes/base-node.js"
import type { RouteKey } from "../events/event.js"
import { BaseTool } from "../tools/base-tool.js"
import type { NodeLike } from "./node.js"

/**
 * Name of the start node of every workflow graph. Use it as the first step of an edge, such as
 * `[START, writer]`.
 */
export const START = "START"

/**
 * Key of the default edge in a routing map. The default edge is followed if no other key matches
 * the chosen route.
 */
export const DEFAULT_ROUTE = "__DEFAULT__"

type Nodes = NodeLike | readonly NodeLike[]

/**
 * Maps routes to the next nodes, such as `{ good: publisher, bad: writer }`. The chosen route is
 * converted to a string before it is compared with the keys.
 */
export interface RoutingMap {
  readonly [route: string]: Nodes
}

type Step = typeof START | Nodes | RoutingMap

/** An edge between two nodes, with one route, a list of routes, or no route. */
export class Edge {
  readonly from: NodeLike | typeof START
  readonly to: NodeLike
  readonly route: RouteKey | readonly RouteKey[] | null

  constructor(
    from: NodeLike | typeof START,
    to: NodeLike,
    route: RouteKey | readonly RouteKey[] | null = null,
  ) {
    this.from = from
    this.to = to
    this.route = route
  }
}

/**
 * An `Edge`, an object with the fields of an edge, or a chain of steps such as
 * `[START, writer, judge]`. Each step of a chain is a node, a list of parallel nodes, or a routing
 * map.
 */
export type WorkflowEdge =
  | Edge
  | readonly Step[]
  | { readonly from: typeof START | Nodes; readonly to: Nodes; readonly route?: RouteKey }
  | { readonly from: Nodes; readonly routes: RoutingMap; readonly default?: Nodes }

/**
 * A single edge between two nodes. `from` is null for the start of the graph. `route` is null for
 * an edge without a route.
 */
export interface FlatEdge {
  readonly from: NodeLike | null
  readonly to: NodeLike
  readonly route: string | null
}

/**
 * Splits the edges and chains of a Workflow into single edges. `owner` is the name of the Workflow
 * for error messages.
 */
export const flatEdges = (edges: readonly WorkflowEdge[], owner: string): readonly FlatEdge[] =>
  edges.flatMap((edge) =>
    edge instanceof Edge
      ? edgesOf(edge, owner)
      : isChain(edge)
        ? chainEdges(edge, owner)
        : objectEdges(edge, owner),
  )

/**
 * Returns whether a value is a list. Unlike `Array.isArray`, narrows the type of a readonly list.
 */
const isMany = <Item>(value: Item | readonly Item[]): value is readonly Item[] =>
  Array.isArray(value)

const isChain = (edge: WorkflowEdge): edge is readonly Step[] => Array.isArray(edge)

const isNodeLike = (value: unknown): value is NodeLike =>
  value instanceof BaseNode || value instanceof BaseTool || typeof value === "function"

function edgesOf({ from, to, route }: Edge, owner: string): readonly FlatEdge[] {
  const routes = isMany(route) ? route : [route]
  if (isMany(route) && route.includes(DEFAULT_ROUTE))
    refuse(
      `An edge of "${owner}" has DEFAULT_ROUTE in a list of routes.`,
      "Add a second Edge for the default.",
    )
  return routes.map((one) => ({
    from: from === START ? null : nodeLike(from, owner),
    to: target(to, owner),
    route: one === null ? null : routeName(one),
  }))
}

/**
 * Returns the name of a route in the config of the graph. The default edge has the name `default`.
 */
const routeName = (route: RouteKey): string => (route === DEFAULT_ROUTE ? "default" : String(route))

function objectEdges(
  edge: Exclude<WorkflowEdge, Edge | readonly Step[]>,
  owner: string,
): readonly FlatEdge[] {
  const from = ends(edge.from, owner)
  if ("to" in edge) {
    const route = edge.route === undefined ? null : routeName(edge.route)
    return connect(from, ends(edge.to, owner), route, owner)
  }
  return [
    ...routedEdges(from, edge.routes, owner).edges,
    ...(edge.default === undefined
      ? []
      : connect(from, ends(edge.default, owner), "default", owner)),
  ]
}

type End = NodeLike | null

function chainEdges(chain: readonly Step[], owner: string): readonly FlatEdge[] {
  const edges: FlatEdge[] = []
  let before: readonly End[] | null = null
  let isAfterMap = false
  if (chain.length < 2)
    refuse(`A chain of "${owner}" has fewer than two steps.`, "Add the next node.")
  for (const step of chain) {
    if (isRoutingMap(step)) {
      if (isAfterMap)
        refuse(`"${owner}" has two routing maps in a row.`, "Put a node between them.")
      const routed: Routed = routedEdges(before ?? [], step, owner)
      edges.push(...routed.edges)
      before = routed.targets
      isAfterMap = true
      continue
    }
    const next = ends(step, owner)
    if (before !== null) edges.push(...connect(before, next, null, owner))
    before = next
    isAfterMap = false
  }
  return edges
}

const isRoutingMap = (step: Step): step is RoutingMap =>
  typeof step === "object" && !Array.isArray(step) && !isNodeLike(step)

interface Routed {
  readonly edges: readonly FlatEdge[]
  readonly targets: readonly End[]
}

function routedEdges(from: readonly End[], map: RoutingMap, owner: string): Routed {
  const entries = Object.entries(map)
  if (entries.length === 0)
    refuse(`"${owner}" has an empty routing map.`, "Add at least one route.")
  if (from.length === 0)
    refuse(`A routing map of "${owner}" does not follow a node.`, "Put the router before it.")
  return {
    edges: entries.flatMap(([route, to]) =>
      connect(from, ends(to, owner), routeName(route), owner),
    ),
    targets: entries.flatMap(([, to]) => ends(to, owner)),
  }
}

const connect = (
  from: readonly End[],
  to: readonly End[],
  route: string | null,
  owner: string,
): readonly FlatEdge[] =>
  from.flatMap((source) => to.map((end) => ({ from: source, to: target(end, owner), route })))

function ends(step: typeof START | Nodes, owner: string): readonly End[] {
  if (step === START) return [null]
  return (isMany(step) ? step : [step]).map((one) => nodeLike(one, owner))
}

const target = (end: End, owner: string): NodeLike =>
  end === null
    ? refuse(`"${owner}" has an incoming edge of START.`, "Lead the edge to a node.")
    : nodeLike(end, owner)

const nodeLike = (value: NodeLike, owner: string): NodeLike =>
  isNodeLike(value)
    ? value
    : refuse(
        `An edge of "${owner}" contains ${typeof value === "string" ? JSON.stringify(value) : String(value)}, which is not a node.`,
        "Use a node, an agent, a tool, a function or START.",
      )
