import type { AgentConfig, NodeUse } from "../../config/agent-config.js"
import { functionNode, toolNode } from "../../../agent-types/graph-nodes.js"
import { absentFields } from "../../fields/described-table.js"
import { identifier } from "../../fields/identifier.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { describeValue } from "../../../diagnostics/show.js"
import { useService } from "../../context/service-uses.js"
import { codeAgent } from "../references/code-agents.js"
import { agentOfReference } from "../references/file-references.js"
import { registeredFunction } from "../tools/registered-tool.js"
import { namedNode } from "./workflow-edges.js"

/**
 * Parses a node reference in a graph edge. The reference is the path of a node's file, the dotted
 * name of a host function, or the name of a node that is defined elsewhere. If several edges of one
 * graph refer to the same file or function, they share one node.
 */
export function readNode(text: string, location: ParserLocation): NodeUse {
  const read = isFile(text) ? nodeOfFile : text.includes(".") ? nodeOfCode : null
  if (read === null) return namedNode(text, location)
  const nodes = location.parser.graphNodes
  const known = nodes.get(location.owner) ?? new Map<string, string>()
  nodes.set(location.owner, known)
  const id = known.get(text)
  if (id !== undefined) return namedNode(id, location)
  const node = read(text, location) ?? unknownNode(text, location)
  known.set(text, node.id ?? text)
  return {
    name: { id: node.id ?? text, location },
    own: node.id === null ? unknownNode(text, location) : node,
  }
}

const isFile = (text: string): boolean => /\.(?:ya?ml|json)$/i.test(text) || text.includes("/")

/**
 * Reads an agent from the file that a graph edge refers to. The edge contains only the path, so
 * errors about the path are reported at the edge.
 */
const nodeOfFile = (text: string, location: ParserLocation): AgentConfig | null =>
  agentOfReference({ config_path: text }, location, location)

function nodeOfCode(service: string, location: ParserLocation): AgentConfig | null {
  const { services } = location.parser
  if (services.find(service, "agent") !== null && services.find(service, "node") === null)
    return codeAgent({ code: service }, location, location)
  const node = services.find(service, "node")
  const tool = node === null ? services.find(service, "tool") : null
  useService(service, tool === null ? "node" : "tool", location)
  const known = node ?? tool
  const id = known?.shownAs ?? service.slice(service.lastIndexOf(".") + 1)
  identifier(id, location)
  const routes = node?.routes ?? null
  const type =
    tool !== null
      ? "ToolNode"
      : node?.kind === "router" || routes !== null
        ? "RouterNode"
        : "FunctionNode"
  const who = {
    id,
    description: known?.description ?? null,
    location: {
      ...location,
      field: "",
      owner: { kind: "agent", id, label: `the ${type} ${describeValue(id)}` },
    },
    fieldAt: () => location,
  } as const
  return type === "ToolNode"
    ? {
        ...absentFields(toolNode.fields),
        type,
        ...who,
        code: registeredFunction(service, location),
      }
    : { ...absentFields(functionNode.fields), type, ...who, service, routes }
}

/**
 * Returns a placeholder for a graph node that could not be parsed. The problem is already reported.
 * The placeholder prevents further errors about references to the node.
 */
const unknownNode = (id: string, location: ParserLocation): AgentConfig => ({
  type: null,
  id,
  description: null,
  location,
  fieldAt: () => location,
})
