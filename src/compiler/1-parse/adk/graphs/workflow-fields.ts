import type { AgentConfig, SubAgentConfig } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import type { Reader } from "../../fields/field-table.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { reference } from "../../fields/identifier.js"
import { count, filledText, list, text } from "../../fields/plain-values.js"
import type { ReadFields } from "../../fields/read-fields.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf } from "../../../diagnostics/config-location.js"
import { useService } from "../../context/service-uses.js"
import { agentName } from "../values/agent-name.js"
import { agentCallbackFields, hooksOf, pluralCallbacks } from "../values/callbacks.js"
import { functionTool } from "../tools/registered-tool.js"
import { serviceName } from "../values/service-names.js"
import { readUnconditional } from "../references/sub-agents.js"
import { startName, workflowEdges } from "./workflow-edges.js"

type FieldValues = Readonly<Record<string, unknown>>

const common = {
  name: required(agentName, 'Add a name, such as "name": "writer".'),
  agentClass: optional(anything),
  description: optional(text),
}

const names = { id: "name", type: "agentClass" }

/** Nodes that stand right there; edges refer to them by name. */
const inlineNodes: Reader<readonly SubAgentConfig[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index): readonly SubAgentConfig[] => {
    const own = fieldOf(at, index)
    const agent = readUnconditional(entry, own)
    return agent === null ? [] : [{ type: "inline", agent, when: null, at: own }]
  }) ?? null

const routeNames: Reader<readonly string[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index) => filledText(entry, fieldOf(at, index)) ?? []) ?? null

const workflow = fieldTable(
  "a Workflow",
  {
    ...common,
    edges: required(
      workflowEdges,
      `Add its edges, starting at ${startName}: [["${startName}", "writer", "reviewer"]].`,
    ),
    nodes: optional(inlineNodes),
    ...agentCallbackFields,
    maxIterations: optional(count),
  },
  {
    aliases: { ...names, ...pluralCallbacks, maxCycles: "maxIterations", subAgents: "nodes" },
    synonyms: { max: "maxIterations", graph: "edges" },
    strict: true,
  },
)

const codeNode = (name: string, kind: "node" | "router") =>
  fieldTable(
    name,
    { ...common, service: optional(serviceName(kind)), routes: optional(routeNames) },
    {
      aliases: { ...names, funcCode: "service" },
      synonyms: { function: "service", code: "service" },
      strict: true,
    },
  )

const functionNode = codeNode("a FunctionNode", "node")
const routerNode = codeNode("a RouterNode", "router")

const joinNode = fieldTable("a JoinNode", common, { aliases: names, strict: true })

const toolNode = fieldTable(
  "a ToolNode",
  {
    ...common,
    tool: required(
      reference,
      'Add the id of the tool that the node runs, such as "tool": "search".',
      {
        unless: "toolCode",
      },
    ),
    toolCode: optional(serviceName("tool")),
  },
  {
    aliases: { ...names, service: "toolCode" },
    synonyms: { code: "toolCode", function: "toolCode" },
    strict: true,
  },
)

export const workflowTables = [workflow, functionNode, routerNode, joinNode, toolNode]

/** Readers of a Workflow and of its nodes (docs/semantics.md#workflow-graphs). `siblings` are all classes of agents. */
export const workflowReaders = {
  Workflow(object, at, siblings) {
    const read = readFields(object, workflow, at, siblings)
    const { edges, nodes, maxIterations } = read.values
    const inline = nodes ?? []
    const written = new Set(
      inline.flatMap((node) =>
        node.type === "inline" && node.agent.id !== null ? [node.agent.id] : [],
      ),
    )
    const named =
      edges?.nodes.filter((node) => node.type === "inline" || !written.has(node.to.id)) ?? []
    return {
      type: "Workflow",
      ...whoAndWhere(read, at),
      subAgents: [...inline, ...named],
      edges: edges?.edges ?? [],
      maxIterations,
      hooks: hooksOf(read.values),
    }
  },
  FunctionNode: (object, at, siblings) =>
    codeNodeConfig("FunctionNode", readFields(object, functionNode, at, siblings), at),
  RouterNode: (object, at, siblings) =>
    codeNodeConfig("RouterNode", readFields(object, routerNode, at, siblings), at),
  JoinNode: (object, at, siblings) => ({
    type: "JoinNode",
    ...whoAndWhere(readFields(object, joinNode, at, siblings), at),
  }),
  ToolNode(object, at, siblings) {
    const read = readFields(object, toolNode, at, siblings)
    const { tool, toolCode } = read.values
    return {
      type: "ToolNode",
      ...whoAndWhere(read, at),
      tool,
      code: toolCode === null ? null : functionTool(toolCode, read.at("toolCode")),
    }
  },
} as const satisfies Record<
  string,
  (
    object: FieldValues,
    at: ParserLocation,
    siblings: Parameters<typeof readFields>[3],
  ) => AgentConfig
>

type CodeNodeFields = typeof functionNode.fields

function codeNodeConfig(
  type: "FunctionNode" | "RouterNode",
  read: ReadFields<CodeNodeFields>,
  at: ParserLocation,
): AgentConfig {
  const { name, service, routes } = read.values
  const kind = type === "RouterNode" ? "router" : "node"
  if (service === null && name !== null) useService(name, kind, read.at("name"))
  const known = at.parser.services.find(service ?? name ?? "", kind)
  return { type, ...whoAndWhere(read, at), service, routes: routes ?? known?.routes ?? null }
}

/** Later phases call the name of an agent its id. */
export const whoAndWhere = (read: ReadFields<typeof common>, at: ParserLocation) => ({
  id: read.values.name,
  description: read.values.description,
  at,
  fieldAt: (field: string) => read.at(field === "id" ? "name" : field),
})
