import type { ToolConfig } from "../agent-config.js"
import { fieldTable, optional } from "../fields/field-table.js"
import { identifier } from "../fields/identifier.js"
import { flag, objectOf } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { Place } from "../place.js"
import { fieldOf, report } from "../place.js"
import { oneOfThese, show } from "../show.js"
import { didYouMean } from "../suggest.js"
import { agentToolConfig, agentToolFields, agentToolSynonyms, httpToolConfig, httpToolFields, httpToolSynonyms, toolOwner } from "../tool-fields.js"
import { noteUnsupported } from "../unsupported.js"

const toolTypes = ["HttpTool", "AgentTool"]

const functionTools = ["FunctionTool", "LongRunningFunctionTool"]

/** Reads an entry of `globalTools` in the adk dialect. */
export function readTool(value: unknown, at: Place): ToolConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(at, { code: "wrong_type", says: `is ${show(value)}, not a tool`, cure: 'Write an object with "type" and "id".' })
  }
  const type = object["type"]
  const name = object["id"] ?? object["name"]
  const own: Place = { ...at, field: "", owner: toolOwner(typeof type === "string" && toolTypes.includes(type) ? type : "tool", name, at) }
  if (name === "exit_loop") {
    report(own, { code: "reserved_name", says: "has a name that is reserved for the tool that ends a loop", cure: "Choose another id." })
  }
  if (type === "HttpTool") {
    const read = readFields(object, httpTool, own, [agentTool])
    return { ...httpToolConfig(read, own), requireConfirmation: read.values.requireConfirmation ?? false }
  }
  if (type === "AgentTool") return agentToolConfig(readFields(object, agentTool, own, [httpTool]), own)
  const typeAt = fieldOf(own, "type")
  const choices = oneOfThese(toolTypes.map((tool) => `"${tool}"`))
  if (type === undefined || type === null) {
    report({ ...typeAt, pointer: own.pointer }, { code: "missing_field", says: "is missing", cure: `Add "type": ${choices}.` })
  } else if (typeof type === "string" && (functionTools.includes(type) || type.endsWith("Toolset"))) {
    noteUnsupported(own, type.endsWith("Toolset") ? "toolsets" : "tools made by code")
  } else {
    const meant = typeof type === "string" ? at.reading.suggest(type, toolTypes) : null
    report(typeAt, {
      code: "unknown_tool_type",
      says: `is ${show(type)}, which is no tool type of the adk dialect`,
      cure: `${didYouMean(meant)}Write ${choices}.`,
    })
  }
  const nameField = object["id"] === undefined ? "name" : "id"
  const id = object[nameField] === undefined ? null : identifier(object[nameField], fieldOf(own, nameField))
  return { type: null, id, at: own, fieldAt: (field) => fieldOf(own, field === "id" ? nameField : field) }
}

const aliases = { name: "id" }

const httpTool = fieldTable(
  "an HttpTool",
  { ...httpToolFields, requireConfirmation: optional(flag) },
  { aliases, synonyms: { ...httpToolSynonyms, confirm: "requireConfirmation" } },
)

const agentTool = fieldTable("an AgentTool", agentToolFields, { aliases, synonyms: agentToolSynonyms })
