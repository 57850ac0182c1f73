import type { JsonObject } from "../../../machines/data/json-object.js"
import { data, anything } from "../fields/data.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { identifier } from "../fields/identifier.js"
import { objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import { pickNode } from "./pick-node.js"
import type { Owner } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"

/**
 * A workflow definition that was found in a config, such as the definition in an `adk` graph node.
 */
export interface FoundConfig {
  readonly type: "workflow"
  readonly config: Readonly<Record<string, unknown>>
  readonly location: ParserLocation
  /**
   * Id of the `adk` graph node that contains the definition. Null if the definition is not in a
   * graph.
   */
  readonly nodeId: string | null
  /**
   * The `context` of the graph that contains the definition. It replaces the definition's own
   * context. Null if the definition is not in a graph, or if the graph has no context.
   */
  readonly context: JsonObject | null
}

/** A Graph Compose graph that was found in a config. The graph is compiled as a whole. */
export interface FoundGraph {
  readonly type: "graph"
  readonly graph: Readonly<Record<string, unknown>>
  readonly location: ParserLocation
}

/**
 * Finds the workflow definition in a config. The config is the definition itself, an `adk` node
 * that contains it, or a graph of nodes. If the config has none of these forms, reports an error
 * and returns null.
 */
export function findConfig(
  value: unknown,
  wantedNode: string | undefined,
  location: ParserLocation,
): FoundConfig | FoundGraph | null {
  const object = objectOf(value)
  if (object === null) {
    return report(location, {
      code: "config_shape",
      problem: `must be an object, not ${describeValue(value)}`,
      fix: shapes,
    })
  }
  if (isDefinition(object))
    return { type: "workflow", config: object, location, nodeId: null, context: null }
  if (object["nodes"] !== undefined && !saysItIsAnAgent(object))
    return inGraph(object, wantedNode, {
      ...location,
      owner: { ...location.owner, label: "the graph" },
    })
  if (object["type"] === "adk" || object["config"] !== undefined)
    return inNode(object, location, null)
  return { type: "workflow", config: object, location, nodeId: null, context: null }
}

/**
 * Reports an error if the object has no field of a workflow definition, and returns whether it
 * reported the error. In this case, the object is not parsed, because further errors would not
 * help.
 */
export function refuseStranger({ config, location }: FoundConfig): boolean {
  if (isDefinition(config)) return false
  report(location, {
    code: "config_shape",
    problem: 'has neither "rootAgentId" nor "agents"',
    fix: shapes,
  })
  return true
}

const shapes =
  'Write a workflow {"rootAgentId": ..., "agents": [...]}, a node {"type": "adk", "config": {...}} or a graph {"nodes": [...]}.'

/**
 * Returns whether an object has a list of agents or the id of the root agent. Workflow definitions
 * of both dialects can have this form.
 */
export const isDefinition = (object: Readonly<Record<string, unknown>>): boolean =>
  ["rootAgentId", "root_agent_id", "agents"].some((field) => object[field] !== undefined)

/**
 * Returns whether an object is marked as an agent by the field `agent_class` or the type
 * `Workflow`. This distinguishes an ADK Workflow from a Graph Compose graph, because both have a
 * field `nodes`.
 */
const saysItIsAnAgent = (object: Readonly<Record<string, unknown>>): boolean =>
  object["agent_class"] !== undefined ||
  object["agentClass"] !== undefined ||
  object["type"] === "Workflow"

function inGraph(
  graph: Readonly<Record<string, unknown>>,
  wantedNode: string | undefined,
  location: ParserLocation,
): FoundConfig | FoundGraph | null {
  if (wantedNode === undefined && !isSingleAdkNode(graph["nodes"]))
    return { type: "graph", graph, location }
  const { values, locationOf: fieldAt } = readFields(graph, graphFields, location)
  if (!Array.isArray(values.nodes))
    return refuseType(values.nodes, fieldAt("nodes"), "a list", "the nodes of the graph in [ ]")
  const node = pickNode(values.nodes, wantedNode, fieldAt("nodes"))
  return node && inNode(node.node, node.location, values.context)
}

/**
 * Returns whether `nodes` is a list of exactly one node, which has the type `adk`. A graph with
 * such a list is compiled as the workflow in this node.
 */
const isSingleAdkNode = (nodes: unknown): boolean =>
  Array.isArray(nodes) && nodes.length === 1 && objectOf(nodes[0])?.["type"] === "adk"

/**
 * Returns the workflow definition in an `adk` node. If the definition is missing or not an object,
 * reports an error and returns null.
 */
function inNode(
  node: Readonly<Record<string, unknown>>,
  { parser, document, pointer }: ParserLocation,
  context: JsonObject | null,
): FoundConfig | null {
  const id = typeof node["id"] === "string" ? node["id"] : null
  const name =
    id === null
      ? `the node${pointer === "" ? "" : ` at ${pointer}`}`
      : `the node ${describeValue(id)}`
  const location: ParserLocation = {
    parser,
    document,
    owner: { kind: "workflow", id, label: name },
    field: "",
    pointer,
  }
  const { values, locationOf: fieldAt, has } = readFields(node, nodeFields, location)
  const configAt = fieldAt("config")
  if (!has("config")) return null
  const config = objectOf(values.config)
  if (config === null)
    return refuseType(values.config, configAt, "an object", "the workflow definition in { }")
  const owner: Owner = { kind: "workflow", id, label: `the workflow in ${name}` }
  return {
    type: "workflow",
    config,
    location: { parser, document, owner, field: "", pointer: configAt.pointer },
    nodeId: values.id,
    context,
  }
}

/**
 * The graph fields that the compiler reads if it compiles only one node of a graph. Another program
 * then runs the graph itself, so the other fields are ignored.
 */
const graphFields = fieldTable(
  "a graph",
  { nodes: optional(anything), context: optional(data) },
  { foreign: true },
)

const nodeFields = fieldTable(
  "an adk node",
  {
    id: optional(identifier),
    type: optional(anything),
    config: required(anything, 'Add the workflow definition as "config" of the node.'),
    dependencies: optional(anything),
  },
  { foreign: true },
)
