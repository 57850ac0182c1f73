import type { ToolConfig } from "../agent-config.js"
import { defaultActivity } from "../fields/activity-config.js"
import { anything } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import type { Named } from "../fields/identifier.js"
import { filledText, flag, list, objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { Place } from "../place.js"
import { fieldOf, report } from "../place.js"
import { toolOwner } from "../tool-fields.js"
import { noteUnsupported } from "../unsupported.js"
import { builtInTool } from "./agent-class.js"
import { readUnconditional } from "./sub-agents.js"
import { toolsetConfig } from "./toolsets.js"

/** An entry of an agent's `tools`. `own`: the tool itself, where it is built in or written right there. */
export interface ToolUse {
  readonly name: Named
  readonly own: ToolConfig | null
}

/** Names of tools, as texts or as `{name, args}`. */
export const toolUses: Reader<readonly ToolUse[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index) => toolUse(entry, fieldOf(at, index)) ?? []) ?? null

function toolUse(entry: unknown, at: Place): ToolUse | null {
  if (typeof entry === "string") return byName(entry, at)
  const object = objectOf(entry)
  if (object === null) return refuseType(entry, at, "a tool", 'the name of a tool, or {"name": "...", "args": {...}}')
  if (object["type"] === "Toolset") return toolsetHere(object, at)
  const { values, at: fieldAt, has } = readFields(object, entryFields, at)
  const { name, args } = values
  if (name === null) return null
  const known = builtInTool(name)
  if (known === "AgentTool") return agentTool(args, has("args") ? fieldAt("args") : missingArgs(at), at)
  const given = objectOf(args)
  const hasArguments = has("args") && (given === null || Object.keys(given).length > 0)
  if (known === "exit_loop" && hasArguments) {
    report(fieldAt("args"), { code: "no_effect", severity: "warning", says: "has no effect: exit_loop takes no arguments", cure: "Remove it.", part: "key" })
  } else if (hasArguments) return noteUnsupported(at, known.endsWith("Toolset") ? "toolsets" : "tools made from arguments")
  return byName(name, fieldAt("name"))
}

function toolsetHere(object: Readonly<Record<string, unknown>>, at: Place): ToolUse | null {
  const own = toolsetConfig(object, { ...at, field: "", owner: toolOwner("Toolset", object["id"] ?? object["name"], at) })
  return own.id === null ? null : { name: { id: own.id, at }, own }
}

function byName(written: string, at: Place): ToolUse | null {
  const id = builtInTool(written)
  if (id === "exit_loop") return { name: { id, at }, own: { type: "ExitLoopTool", id, at, fieldAt: (field) => fieldOf(at, field) } }
  if (id === "AgentTool") return agentTool(null, missingArgs(at), at)
  return id.endsWith("Toolset") ? noteUnsupported(at, "toolsets") : { name: { id, at }, own: null }
}

const missingArgs = (at: Place): Place => ({ ...fieldOf(at, "args"), pointer: at.pointer })

/** An AgentTool bears the name of the agent that it runs, which is no sub-agent of the caller. */
function agentTool(value: unknown, argsAt: Place, at: Place): ToolUse | null {
  const args = objectOf(value ?? {})
  if (args === null) return refuseType(value, argsAt, "an object", '{"agent": {...}}')
  const read = readFields(args, agentToolFields, argsAt)
  const { agent: given, skipSummarization } = read.values
  if (!read.has("agent")) return null
  const agentAt = read.at("agent")
  if (typeof given === "string") return noteUnsupported(agentAt, "references to other files")
  const agent = readUnconditional(given, agentAt)
  if (agent?.id == null) return null
  const { id } = agent
  return {
    name: { id, at },
    own: {
      type: "AgentTool",
      id,
      target: { id, at: agentAt },
      inline: agent,
      skipSummarization: skipSummarization ?? false,
      outputKey: null,
      activity: defaultActivity,
      at: { ...at, field: "", owner: toolOwner("AgentTool", id, at) },
      fieldAt: (field) => (field === "id" ? agent.fieldAt("id") : fieldOf(at, field)),
    },
  }
}

const entryFields = fieldTable(
  "an entry of tools",
  { name: required(filledText, "Name the tool."), args: optional(anything) },
  { synonyms: { id: "name", arguments: "args" } },
)

const agentToolFields = fieldTable("an AgentTool's args", {
  agent: required(anything, "Write the agent that it runs here."),
  skipSummarization: optional(flag),
})
