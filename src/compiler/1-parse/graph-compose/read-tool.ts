import type { ToolConfig } from "../config/agent-config.js"
import { agentTool, httpTool } from "../../agent-types/tools.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { sharedReaders } from "../fields/value-readers.js"
import { identifier } from "../fields/identifier.js"
import { objectOf } from "../fields/plain-values.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { openApiToolset } from "../openapi/openapi-toolset.js"
import { toolOwner } from "../workflow/tool-owner.js"

const toolTypes = ["HttpTool", "AgentTool", "OpenAPIToolset"]

/** Parses a tool of the graph-compose dialect. Returns null if the value is not a tool. */
export function readTool(value: unknown, location: ParserLocation): ToolConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(location, {
      code: "wrong_type",
      problem: `must be a tool, not ${describeValue(value)}`,
      fix: 'Write an object with "type" and "id".',
    })
  }
  const type = object["type"]
  const kind = typeof type === "string" && toolTypes.includes(type) ? type : "tool"
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: toolOwner(kind, object["id"], location),
  }
  if (type === "HttpTool") {
    const { values, locationOf: fieldAt } = readDescribed(object, tables.HttpTool, own, [
      tables.AgentTool,
    ])
    return { ...values, type, location: own, fieldAt }
  }
  if (type === "AgentTool") {
    const { values, locationOf: fieldAt } = readDescribed(object, tables.AgentTool, own, [
      tables.HttpTool,
    ])
    return { ...values, type, inline: null, location: own, fieldAt }
  }
  if (type === "OpenAPIToolset") return openApiToolset(object, own, "graph-compose")
  const typeAt = fieldOf(own, "type")
  const choices = oneOfThese(toolTypes.map((name) => `"${name}"`))
  if (type === undefined || type === null) {
    report(
      { ...typeAt, pointer: own.pointer },
      { code: "missing_field", problem: "is missing", fix: `Add "type": ${choices}.` },
    )
  } else {
    const suggestion = typeof type === "string" ? location.parser.suggest(type, toolTypes) : null
    report(typeAt, {
      code: "unknown_tool_type",
      problem: `is ${describeValue(type)}, which is not a tool type of the graph-compose dialect`,
      fix: `${didYouMean(suggestion)}Write ${choices}.`,
    })
  }
  const id = object["id"] === undefined ? null : identifier(object["id"], fieldOf(own, "id"))
  return { type: null, id, location: own, fieldAt: (field) => fieldOf(own, field) }
}

const tables = {
  HttpTool: describedTable(httpTool, "graph-compose", sharedReaders),
  AgentTool: describedTable(agentTool, "graph-compose", sharedReaders),
} as const
