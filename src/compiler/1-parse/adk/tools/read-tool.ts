import type { FunctionToolConfig, ToolConfig } from "../../config/agent-config.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { anything, data } from "../../fields/data.js"
import { expiryFields, expiryOf } from "../../fields/expiry.js"
import { identifier } from "../../fields/identifier.js"
import { filledText, flag, objectOf, text } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { oneOfThese, show } from "../../../diagnostics/show.js"
import { didYouMean } from "../../../diagnostics/suggest.js"
import {
  agentToolConfig,
  agentToolFields,
  agentToolSynonyms,
  httpToolConfig,
  httpToolFields,
  httpToolSynonyms,
  toolOwner,
} from "../../workflow/tool-fields.js"
import { noteUnsupported } from "../../context/unsupported.js"
import { toolsetConfig } from "./toolsets.js"

const toolTypes = ["HttpTool", "AgentTool", "FunctionTool", "LongRunningFunctionTool", "Toolset"]

/** Reads an entry of `globalTools` in the adk dialect. */
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
  const name = object["id"] ?? object["name"]
  const own: ParserLocation = {
    ...at,
    field: "",
    owner: toolOwner(
      typeof type === "string" && toolTypes.includes(type) ? type : "tool",
      name,
      at,
    ),
  }
  if (type === "HttpTool") {
    const read = readFields(object, httpTool, own, [agentTool, functionTool])
    return {
      ...httpToolConfig(read, own),
      requireConfirmation: read.values.requireConfirmation ?? false,
    }
  }
  if (type === "AgentTool") {
    const read = readFields(object, agentTool, own, [httpTool, functionTool])
    return { ...agentToolConfig(read, own), ...expiryOf(read.values) }
  }
  if (type === "FunctionTool") return functionToolConfig(object, own)
  if (type === "LongRunningFunctionTool")
    return { ...functionToolConfig(object, own), longRunning: true }
  if (type === "Toolset") return toolsetConfig(object, own)
  const typeAt = fieldOf(own, "type")
  const choices = oneOfThese(toolTypes.map((tool) => `"${tool}"`))
  if (type === undefined || type === null) {
    report(
      { ...typeAt, pointer: own.pointer },
      { code: "missing_field", says: "is missing", fix: `Add "type": ${choices}.` },
    )
  } else if (typeof type === "string" && type.endsWith("Toolset")) {
    noteUnsupported(own, "toolsets")
  } else {
    const meant = typeof type === "string" ? at.parser.suggest(type, toolTypes) : null
    report(typeAt, {
      code: "unknown_tool_type",
      says: `is ${show(type)}, which is not a tool type of the adk dialect`,
      fix: `${didYouMean(meant)}Write ${choices}.`,
    })
  }
  const nameField = object["id"] === undefined ? "name" : "id"
  const id =
    object[nameField] === undefined ? null : identifier(object[nameField], fieldOf(own, nameField))
  return {
    type: null,
    id,
    at: own,
    fieldAt: (field) => fieldOf(own, field === "id" ? nameField : field),
  }
}

function functionToolConfig(
  object: Readonly<Record<string, unknown>>,
  at: ParserLocation,
): FunctionToolConfig {
  const { values, at: fieldAt } = readFields(object, functionTool, at, [httpTool, agentTool])
  const { id, service, description, parameters, requireConfirmation } = values
  const confirmed = requireConfirmation ?? false
  return {
    type: "FunctionTool",
    id,
    service,
    description,
    parameters,
    requireConfirmation: confirmed,
    ...expiryOf(values),
    at,
    fieldAt,
  }
}

const aliases = { name: "id" }

const httpTool = fieldTable(
  "an HttpTool",
  { ...httpToolFields, requireConfirmation: optional(flag) },
  { aliases, synonyms: { ...httpToolSynonyms, confirm: "requireConfirmation" } },
)

const agentTool = fieldTable(
  "an AgentTool",
  { ...agentToolFields, ...expiryFields },
  { aliases, synonyms: agentToolSynonyms },
)

const functionTool = fieldTable(
  "a FunctionTool",
  {
    type: optional(anything),
    id: required(identifier, 'Add an id, such as "id": "search".'),
    service: optional(filledText),
    description: optional(text),
    parameters: optional(data),
    requireConfirmation: optional(flag),
    ...expiryFields,
  },
  {
    aliases,
    synonyms: {
      function: "service",
      code: "service",
      inputSchema: "parameters",
      schema: "parameters",
      confirm: "requireConfirmation",
    },
  },
)
