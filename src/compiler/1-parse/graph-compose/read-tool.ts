import type { ToolConfig } from "../config/agent-config.js"
import { fieldTable } from "../fields/field-table.js"
import { identifier } from "../fields/identifier.js"
import { objectOf } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { oneOfThese, show } from "../../diagnostics/show.js"
import { didYouMean } from "../../diagnostics/suggest.js"
import {
  agentToolConfig,
  agentToolFields,
  agentToolSynonyms,
  httpToolConfig,
  httpToolFields,
  httpToolSynonyms,
  toolOwner,
} from "../workflow/tool-fields.js"

const toolTypes = ["HttpTool", "AgentTool"]

/** Reads a tool of the graph-compose dialect. */
export function readTool(value: unknown, at: ParserLocation): ToolConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(at, {
      code: "wrong_type",
      says: `must be a tool, not ${show(value)}`,
      fix: 'Write an object with "type" and "id".',
    })
  }
  const type = object["type"]
  const kind = typeof type === "string" && toolTypes.includes(type) ? type : "tool"
  const own: ParserLocation = { ...at, field: "", owner: toolOwner(kind, object["id"], at) }
  if (type === "HttpTool")
    return httpToolConfig(readFields(object, httpTool, own, [agentTool]), own)
  if (type === "AgentTool")
    return agentToolConfig(readFields(object, agentTool, own, [httpTool]), own)
  const typeAt = fieldOf(own, "type")
  const choices = oneOfThese(toolTypes.map((name) => `"${name}"`))
  if (type === undefined || type === null) {
    report(
      { ...typeAt, pointer: own.pointer },
      { code: "missing_field", says: "is missing", fix: `Add "type": ${choices}.` },
    )
  } else {
    const meant = typeof type === "string" ? at.parser.suggest(type, toolTypes) : null
    report(typeAt, {
      code: "unknown_tool_type",
      says: `is ${show(type)}, which is not a tool type of the graph-compose dialect`,
      fix: `${didYouMean(meant)}Write ${choices}.`,
    })
  }
  const id = object["id"] === undefined ? null : identifier(object["id"], fieldOf(own, "id"))
  return { type: null, id, at: own, fieldAt: (field) => fieldOf(own, field) }
}

const httpTool = fieldTable("an HttpTool", httpToolFields, { synonyms: httpToolSynonyms })

const agentTool = fieldTable("an AgentTool", agentToolFields, { synonyms: agentToolSynonyms })
