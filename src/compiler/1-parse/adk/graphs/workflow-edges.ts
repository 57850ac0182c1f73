import { startName } from "../../../agent-types/graph-nodes.js"
import { readUnconditional } from "../references/sub-agents.js"
import type { EdgeConfig, SubAgentConfig, WorkflowEdges } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import type { Reader } from "../../fields/field-table.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { filledText, list, objectOf, refuseType } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { refersElsewhere, writtenClass } from "../values/agent-class.js"

/**
 * The key of the default entry in a routing map, which maps route names to nodes. The nodes of the
 * default entry run if no other route matches.
 */
const otherwiseRoute = "default"

/**
 * Parses the edges of a graph in ADK's forms (docs/semantics.md#workflow-graphs). An edge is a
 * chain `["START", "a", "b"]`, an object `{from, to, route?}` or an object
 * `{from, routes, default?}`. An element of a chain may be a list of parallel nodes, and its last
 * element may be a routing map.
 */
export const workflowEdges: Reader<WorkflowEdges> = (value, location) => {
  const entries = list(value, location)
  if (entries === null) return null
  if (entries.length === 0) {
    report(location, {
      code: "broken_graph",
      problem: "is an empty list",
      fix: `Add at least one edge that starts at ${startName}, such as ["${startName}", "writer"].`,
    })
  }
  const written = entries.flatMap((entry, index) => readEdges(entry, fieldOf(location, index)))
  return { edges: withoutTwins(written), written, nodes: nodesOf(written) }
}

/**
 * Returns the graph edges without duplicates. Duplicates occur, for example, if two chains start
 * with the same nodes.
 */
function withoutTwins(edges: readonly EdgeConfig[]): readonly EdgeConfig[] {
  const known = new Map(
    edges.map(
      (edge) =>
        [
          JSON.stringify([edge.from?.name.id, edge.to.name.id, edge.route, edge.otherwise]),
          edge,
        ] as const,
    ),
  )
  return [...known.values()]
}

/**
 * Returns every node that occurs in the edges, without duplicates. If one edge defines a node and
 * other edges refer to it by name, the result contains the definition.
 */
function nodesOf(edges: readonly EdgeConfig[]): readonly SubAgentConfig[] {
  const nodes = new Map<string, SubAgentConfig>()
  for (const { from, to } of edges) {
    for (const { name, own } of from === null ? [to] : [from, to]) {
      if (own !== null)
        nodes.set(name.id, { type: "inline", agent: own, when: null, location: name.location })
      else if (!nodes.has(name.id))
        nodes.set(name.id, { type: "reference", to: name, when: null, location: name.location })
    }
  }
  return [...nodes.values()]
}

function readEdges(entry: unknown, location: ParserLocation): readonly EdgeConfig[] {
  if (Array.isArray(entry)) return readChain(entry, location)
  const object = objectOf(entry)
  if (object === null) {
    refuseType(
      entry,
      location,
      "an edge",
      `a chain such as ["${startName}", "writer"], or {"from": ..., "to": ...}`,
    )
    return []
  }
  const { values, locationOf: fieldAt, has } = readFields(object, edgeFields, location)
  const from = values.from === null ? [] : readEnds(values.from, fieldAt("from"))
  const routed = routeOf(values.route, fieldAt("route"))
  const direct =
    values.to === null || routed === null
      ? []
      : edgesTo(from, readEnds(values.to, fieldAt("to")), routed, location)
  const routes = values.routes === null ? null : objectOf(values.routes)
  if (has("routes") && routes === null)
    refuseType(
      values.routes,
      fieldAt("routes"),
      "a routing map",
      '{"good": "publish", "bad": "rewrite"}',
    )
  const mapped = routes === null ? [] : readRoutes(routes, from, fieldAt("routes"))
  const fallback =
    values.default === null
      ? []
      : edgesTo(
          from,
          readEnds(values.default, fieldAt("default")),
          { route: null, otherwise: true },
          location,
        )
  if (!has("to") && !has("routes") && !has("default")) {
    report(location, {
      code: "missing_field",
      problem: 'has no target: "to" is missing',
      fix: 'Add "to" with the name of a node, or add "routes" with a routing map.',
    })
  }
  return [...direct, ...mapped, ...fallback]
}

/**
 * Parses a chain of graph nodes such as `START, a, [b, c], d`. Every node of an element gets an
 * edge to every node of the next element. In the example, `a` gets edges to `b` and `c`.
 */
function readChain(chain: readonly unknown[], location: ParserLocation): readonly EdgeConfig[] {
  const edges: EdgeConfig[] = []
  let before: readonly End[] | null = null
  for (const [index, element] of chain.entries()) {
    const elementAt = fieldOf(location, index)
    const map = isRoutingMap(element) ? objectOf(element) : null
    if (map !== null) {
      if (before === null) {
        report(elementAt, {
          code: "broken_graph",
          problem: "is a routing map that does not follow a node",
          fix: "Write the node that chooses the route before the routing map.",
        })
      }
      edges.push(...readRoutes(map, before ?? [], elementAt))
      if (index < chain.length - 1) {
        report(fieldOf(location, index + 1), {
          code: "broken_graph",
          problem: "follows a routing map, which must be the last element of a chain",
          fix: "End this chain with the routing map, and start a new chain with each node that the map leads to.",
        })
      }
      break
    }
    const ends = readEnds(element, elementAt)
    if (before !== null)
      edges.push(...edgesTo(before, ends, { route: null, otherwise: false }, elementAt))
    before = ends
  }
  if (chain.length < 2)
    report(location, {
      code: "broken_graph",
      problem: "is a chain of fewer than two elements, which is not an edge",
      fix: `Add the target node of the edge, such as ["${startName}", "writer"].`,
    })
  return edges
}

/**
 * Returns whether an element of a chain is a routing map, which is an object that maps routes to
 * nodes. An object with an agent class or a file path is a node, not a routing map.
 */
const isRoutingMap = (element: unknown): boolean => {
  const object = objectOf(element)
  return (
    object !== null &&
    writtenClass(object).value === undefined &&
    refersElsewhere(object) !== "file"
  )
}

interface End {
  /** A source or target node of a graph edge. Null means the start of the graph. */
  readonly node: EdgeConfig["to"] | null
}

/** Parses one end of a graph edge: a single node, or a list of parallel nodes. */
function readEnds(value: unknown, location: ParserLocation): readonly End[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => readEnds(one, fieldOf(location, index)))
  if (value === startName) return [{ node: null }]
  if (typeof value === "string") return [{ node: location.parser.readNode(value, location) }]
  const object = objectOf(value)
  if (object === null) {
    refuseType(value, location, "a node", 'the name of a node, such as "writer"')
    return []
  }
  const agent = location.parser.readAgent(object, location)
  return agent?.id == null ? [] : [{ node: { name: { id: agent.id, location }, own: agent } }]
}

/**
 * Returns a reference to a graph node by name. The name is resolved after all agents have been
 * parsed.
 */
export const namedNode = (id: string, location: ParserLocation): EdgeConfig["to"] => ({
  name: { id, location },
  own: null,
})

function readRoutes(
  map: Readonly<Record<string, unknown>>,
  from: readonly End[],
  location: ParserLocation,
): readonly EdgeConfig[] {
  if (Object.keys(map).length === 0)
    report(location, {
      code: "broken_graph",
      problem: "is an empty routing map",
      fix: 'Name at least one route: {"good": "publish"}.',
    })
  return Object.entries(map).flatMap(([route, target]) => {
    const targetAt = fieldOf(location, route)
    return edgesTo(
      from,
      readEnds(target, targetAt),
      { route: route === otherwiseRoute ? null : route, otherwise: route === otherwiseRoute },
      targetAt,
    )
  })
}

type Routed = Pick<EdgeConfig, "route" | "otherwise">

function routeOf(value: unknown, location: ParserLocation): Routed | null {
  if (value === null) return { route: null, otherwise: false }
  if (typeof value === "number" || typeof value === "boolean")
    return { route: String(value), otherwise: false }
  if (typeof value !== "string")
    return refuseType(value, location, "a route", 'a string such as "again"')
  return value === otherwiseRoute
    ? { route: null, otherwise: true }
    : { route: value, otherwise: false }
}

function edgesTo(
  from: readonly End[],
  to: readonly End[],
  routed: Routed,
  location: ParserLocation,
): readonly EdgeConfig[] {
  return from.flatMap((source) =>
    to.flatMap((target): readonly EdgeConfig[] => {
      if (target.node === null) {
        report(location, {
          code: "broken_graph",
          problem: `leads to ${startName}, which cannot be the target of an edge`,
          fix: "Write a node as the target of the edge, or remove the edge.",
        })
        return []
      }
      return [{ from: source.node, to: target.node, ...routed, location }]
    }),
  )
}

const edgeFields = fieldTable(
  "an edge",
  {
    from: required(anything, `Add the name of the source node, or ${startName}.`),
    to: optional(anything),
    route: optional(anything),
    routes: optional(anything),
    default: optional(anything),
  },
  {
    aliases: { fromNode: "from", toNode: "to" },
    synonyms: {
      source: "from",
      target: "to",
      condition: "route",
      map: "routes",
      otherwise: "default",
    },
  },
)

/** Parses the field `nodes` of a Workflow, which defines nodes that its edges refer to by name. */
export const inlineNodes: Reader<readonly SubAgentConfig[]> = (value, location) =>
  list(value, location)?.flatMap((entry, index): readonly SubAgentConfig[] => {
    const own = fieldOf(location, index)
    const agent = readUnconditional(entry, own)
    return agent === null ? [] : [{ type: "inline", agent, when: null, location: own }]
  }) ?? null

/**
 * Parses a list of route names. A route is a result by which a graph node chooses the next node.
 */
export const routeNames: Reader<readonly string[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => filledText(entry, fieldOf(location, index)) ?? [],
  ) ?? null
