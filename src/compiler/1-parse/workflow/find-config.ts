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
import { show } from "../../diagnostics/show.js"

/** A workflow definition, taken out of what it stood in. */
export interface FoundConfig {
  readonly config: Readonly<Record<string, unknown>>
  readonly at: ParserLocation
  /** Of the `adk` node around it. */
  readonly nodeId: string | null
  /** Of the graph around it; it goes before the definition's own. */
  readonly context: JsonObject | null
}

/**
 * The three forms of a config: the definition itself, one `adk` node, and a workflow graph with nodes.
 * Null where there is no definition to be found; then the reason is reported.
 */
export function findConfig(
  value: unknown,
  wantedNode: string | undefined,
  at: ParserLocation,
): FoundConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(at, {
      code: "config_shape",
      says: `must be an object, not ${show(value)}`,
      fix: shapes,
    })
  }
  if (isDefinition(object)) return { config: object, at, nodeId: null, context: null }
  if (object["nodes"] !== undefined && !saysItIsAnAgent(object))
    return inGraph(object, wantedNode, { ...at, owner: { ...at.owner, label: "the graph" } })
  if (object["type"] === "adk" || object["config"] !== undefined) return inNode(object, at, null)
  return { config: object, at, nodeId: null, context: null }
}

/** For what has no field of a definition: every other message about it would be a consequence. */
export function refuseStranger({ config, at }: FoundConfig): boolean {
  if (isDefinition(config)) return false
  report(at, { code: "config_shape", says: 'has neither "rootAgentId" nor "agents"', fix: shapes })
  return true
}

const shapes =
  'Write a workflow {"rootAgentId": ..., "agents": [...]}, a node {"type": "adk", "config": {...}} or a graph {"nodes": [...]}.'

/** Whether this is a list of agents and the name of the first, the form that both dialects have. */
export const isDefinition = (object: Readonly<Record<string, unknown>>): boolean =>
  ["rootAgentId", "root_agent_id", "agents"].some((field) => object[field] !== undefined)

/** ADK's Workflow has nodes as well; a graph around workflows says of itself neither. */
const saysItIsAnAgent = (object: Readonly<Record<string, unknown>>): boolean =>
  object["agent_class"] !== undefined ||
  object["agentClass"] !== undefined ||
  object["type"] === "Workflow"

function inGraph(
  graph: Readonly<Record<string, unknown>>,
  wantedNode: string | undefined,
  at: ParserLocation,
): FoundConfig | null {
  const { values, at: fieldAt } = readFields(graph, graphFields, at)
  if (!Array.isArray(values.nodes))
    return refuseType(values.nodes, fieldAt("nodes"), "a list", "the nodes of the graph in [ ]")
  const node = pickNode(values.nodes, wantedNode, fieldAt("nodes"))
  return node && inNode(node.node, node.at, values.context)
}

function inNode(
  node: Readonly<Record<string, unknown>>,
  { parser, document, pointer }: ParserLocation,
  context: JsonObject | null,
): FoundConfig | null {
  const id = typeof node["id"] === "string" ? node["id"] : null
  const name =
    id === null ? `the node${pointer === "" ? "" : ` at ${pointer}`}` : `the node ${show(id)}`
  const at: ParserLocation = {
    parser,
    document,
    owner: { kind: "workflow", id, label: name },
    field: "",
    pointer,
  }
  const { values, at: fieldAt, has } = readFields(node, nodeFields, at)
  const configAt = fieldAt("config")
  if (!has("config")) return null
  const config = objectOf(values.config)
  if (config === null)
    return refuseType(values.config, configAt, "an object", "the workflow definition in { }")
  const owner: Owner = { kind: "workflow", id, label: `the workflow in ${name}` }
  return {
    config,
    at: { parser, document, owner, field: "", pointer: configAt.pointer },
    nodeId: values.id,
    context,
  }
}

/** The graph and its nodes have many more fields, which are the business of whoever runs the graph. */
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
