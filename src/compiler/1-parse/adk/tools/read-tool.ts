import type { ParsedFunctionTool, ToolConfig } from "../../config/agent-config.js"
import { identifier } from "../../fields/identifier.js"
import { agentTool, functionTool, httpTool } from "../../../agent-types/tools.js"
import { describedTable, readDescribed } from "../../fields/described-table.js"
import { sharedReaders } from "../../fields/value-readers.js"
import { objectOf } from "../../fields/plain-values.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../../diagnostics/show.js"
import { didYouMean } from "../../../../machines/data/suggest.js"
import { toolOwner } from "../../workflow/tool-owner.js"
import { openApiToolset } from "../../openapi/openapi-toolset.js"
import { noteUnsupported } from "../../context/unsupported.js"
import { toolsetConfig } from "./toolsets.js"

const toolTypes = [
  "HttpTool",
  "AgentTool",
  "FunctionTool",
  "LongRunningFunctionTool",
  "Toolset",
  "OpenAPIToolset",
]

/**
 * Parses an entry of `globalTools`, the workflow's list of tools, in the adk dialect. Returns null
 * if the entry is invalid.
 */
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
  const name = object["id"] ?? object["name"]
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: toolOwner(
      typeof type === "string" && toolTypes.includes(type) ? type : "tool",
      name,
      location,
    ),
  }
  if (type === "HttpTool") {
    const { values, locationOf: fieldAt } = readDescribed(object, tables.HttpTool, own, [
      tables.AgentTool,
      tables.FunctionTool,
    ])
    return { ...values, type, location: own, fieldAt }
  }
  if (type === "AgentTool") {
    const { values, locationOf: fieldAt } = readDescribed(object, tables.AgentTool, own, [
      tables.HttpTool,
      tables.FunctionTool,
    ])
    return { ...values, type, inline: null, location: own, fieldAt }
  }
  if (type === "FunctionTool" || type === "LongRunningFunctionTool")
    return functionToolConfig(object, own, type === "LongRunningFunctionTool")
  if (type === "Toolset") return toolsetConfig(object, own)
  if (type === "OpenAPIToolset") return openApiToolset(object, own, "adk")
  const typeAt = fieldOf(own, "type")
  const choices = oneOfThese(toolTypes.map((tool) => `"${tool}"`))
  if (type === undefined || type === null) {
    report(
      { ...typeAt, pointer: own.pointer },
      { code: "missing_field", problem: "is missing", fix: `Add "type": ${choices}.` },
    )
  } else if (typeof type === "string" && type.endsWith("Toolset")) {
    noteUnsupported(own, "toolsets")
  } else {
    const suggestion = typeof type === "string" ? location.parser.suggest(type, toolTypes) : null
    report(typeAt, {
      code: "unknown_tool_type",
      problem: `is ${describeValue(type)}, which is not a tool type of the adk dialect`,
      fix: `${didYouMean(suggestion)}Write ${choices}.`,
    })
  }
  const nameField = object["id"] === undefined ? "name" : "id"
  const id =
    object[nameField] === undefined ? null : identifier(object[nameField], fieldOf(own, nameField))
  return {
    type: null,
    id,
    location: own,
    fieldAt: (field) => fieldOf(own, field === "id" ? nameField : field),
  }
}

function functionToolConfig(
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
  longRunning: boolean,
): ParsedFunctionTool {
  const { values, locationOf: fieldAt } = readDescribed(object, tables.FunctionTool, location, [
    tables.HttpTool,
    tables.AgentTool,
  ])
  return {
    ...values,
    type: "FunctionTool",
    longRunning,
    factory: null,
    atAgent: false,
    location,
    fieldAt,
  }
}

const tables = {
  HttpTool: describedTable(httpTool, "adk", sharedReaders),
  AgentTool: describedTable(agentTool, "adk", sharedReaders),
  FunctionTool: describedTable(functionTool, "adk", sharedReaders),
} as const
