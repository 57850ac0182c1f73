import {
  builtInExitLoop,
  exitLoop,
  loadMemoryService,
  preloadMemoryService,
} from "../../../../machines/model-call/built-in-tools.js"
import type { AgentConfig, ToolUse } from "../../config/agent-config.js"
import { agentTool as agentToolDescription } from "../../../agent-types/tools.js"
import { absentFields } from "../../fields/described-table.js"
import { anything, data } from "../../fields/data.js"
import { expiryFields, expiryOf } from "../../fields/expiry.js"
import type { Reader } from "../../fields/field-table.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { filledText, flag, list, objectOf, refuseType } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { toolOwner } from "../../workflow/tool-owner.js"
import { noteUnsupported } from "../../context/unsupported.js"
import { builtInTool, refersElsewhere } from "../values/agent-class.js"
import { targetOfReference } from "../references/file-references.js"
import { functionToolHere, isFunctionToolClass } from "./function-tools.js"
import { isMcpToolset, mcpToolset } from "./mcp-toolsets.js"
import { openApiToolset } from "../../openapi/openapi-toolset.js"
import { isHostedTool } from "../values/never-supported.js"
import { registeredTool } from "./registered-tool.js"
import { readUnconditional } from "../references/sub-agents.js"
import { isUnsupportedTool } from "./tool-classes.js"
import { toolsetConfig } from "./toolsets.js"

/**
 * Parses the field `tools` of an agent. Each entry is a tool name, an object `{name, args}`, or a
 * toolset.
 */
export const tools: Reader<readonly ToolUse[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => toolUse(entry, fieldOf(location, index)) ?? [],
  ) ?? null

/** Names of built-in tools that take no arguments in the config. */
const builtInTools: ReadonlySet<string> = new Set([
  exitLoop,
  loadMemoryService,
  preloadMemoryService,
])

function toolUse(entry: unknown, location: ParserLocation): ToolUse | null {
  if (typeof entry === "string") return byName(entry, location)
  const object = objectOf(entry)
  if (object === null)
    return refuseType(
      entry,
      location,
      "a tool",
      'the name of a tool, or {"name": "...", "args": {...}}',
    )
  if (object["type"] === "Toolset") return toolsetHere(object, location)
  const { values, locationOf: fieldAt, has } = readFields(object, entryFields, location)
  const { name, args } = values
  if (name === null) return null
  const known = builtInTool(name)
  if (known === "AgentTool")
    return agentTool(args, has("args") ? fieldAt("args") : missingArgs(location), location)
  if (isMcpToolset(known))
    return mcpHere(args, has("args") ? fieldAt("args") : missingArgs(location), location)
  if (known === "OpenAPIToolset")
    return openApiHere(args, has("args") ? fieldAt("args") : missingArgs(location), location)
  if (isFunctionToolClass(known))
    return functionToolHere(
      known,
      args,
      has("args") ? fieldAt("args") : missingArgs(location),
      location,
    )
  const isBuiltIn = builtInTools.has(known) && location.parser.services.kindsOf(name).length === 0
  const given = objectOf(args)
  const hasArguments = has("args") && (given === null || Object.keys(given).length > 0)
  if (isBuiltIn && hasArguments) {
    report(fieldAt("args"), {
      code: "no_effect",
      severity: "warning",
      problem: `has no effect: ${known} does not take arguments`,
      fix: "Remove it.",
      part: "key",
    })
  } else if (hasArguments) return madeByFactory(name, args, fieldAt("name"), fieldAt("args"))
  return byName(name, fieldAt("name"))
}

function toolsetHere(
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
): ToolUse | null {
  const own = toolsetConfig(object, {
    ...location,
    field: "",
    owner: toolOwner("Toolset", object["id"] ?? object["name"], location),
  })
  return own.id === null ? null : { name: { id: own.id, location }, own }
}

function mcpHere(args: unknown, argsAt: ParserLocation, location: ParserLocation): ToolUse | null {
  const own = mcpToolset(args, argsAt, location)
  return own?.id == null ? null : { name: { id: own.id, location }, own }
}

/**
 * Parses ADK's form `{name: OpenAPIToolset, args}`. The toolset has no name in ADK, so its id
 * consists of the agent's id and the index of the tool, such as `writer_openapi_0`.
 */
function openApiHere(
  args: unknown,
  argsAt: ParserLocation,
  location: ParserLocation,
): ToolUse | null {
  const object = objectOf(args ?? {})
  if (object === null) return refuseType(args, argsAt, "an object", '{"document": "petstore.yaml"}')
  const number = /\[(\d+)\]$/.exec(location.field)?.[1] ?? "0"
  const id = `${location.owner.id ?? "agent"}_openapi_${number}`
  const own = openApiToolset(
    { id, ...object },
    { ...argsAt, field: "", owner: toolOwner("OpenAPIToolset", id, location) },
    "adk",
  )
  return own.id === null ? null : { name: { id: own.id, location }, own }
}

/**
 * Parses a tool entry that has the field `args`. The registered service is a factory that creates
 * the tool from these arguments.
 */
function madeByFactory(
  name: string,
  args: unknown,
  location: ParserLocation,
  argsAt: ParserLocation,
): ToolUse | null {
  const known = builtInTool(name)
  // An unsupported tool is reported by its name and its arguments are ignored, unless the runner
  // has a replacement for the tool.
  const isReplaced = location.parser.services.kindsOf(known).length > 0
  if (!isReplaced && (isHostedTool(known) || isUnsupportedTool(known)))
    return byName(known, location)
  const factory = data(args, argsAt)
  if (factory === null) return null
  const own = registeredTool(known, location, factory)
  if (own.type === "Toolset") return noteUnsupported(argsAt, "toolsets created with arguments")
  return { name: { id: own.id, location }, own }
}

function byName(written: string, location: ParserLocation): ToolUse | null {
  const id = builtInTool(written)
  if (id === exitLoop)
    return {
      name: { id: written === id ? id : builtInExitLoop, location },
      own: {
        type: "ExitLoopTool",
        id: builtInExitLoop,
        location,
        fieldAt: (field) => fieldOf(location, field),
      },
    }
  if (id === "AgentTool") return agentTool(null, missingArgs(location), location)
  if (isMcpToolset(id)) return mcpHere(null, missingArgs(location), location)
  if (id === "OpenAPIToolset") return openApiHere(null, missingArgs(location), location)
  if (isFunctionToolClass(id)) return functionToolHere(id, null, missingArgs(location), location)
  return { name: { id, location }, own: null }
}

const missingArgs = (location: ParserLocation): ParserLocation => ({
  ...fieldOf(location, "args"),
  pointer: location.pointer,
})

/**
 * Parses an AgentTool, which is a tool that runs an agent and has the agent's name. The agent does
 * not become a sub-agent of the agent that uses the tool.
 */
function agentTool(
  value: unknown,
  argsAt: ParserLocation,
  location: ParserLocation,
): ToolUse | null {
  const args = objectOf(value ?? {})
  if (args === null) return refuseType(value, argsAt, "an object", '{"agent": {...}}')
  const read = readFields(args, agentToolFields, argsAt)
  const { agent: given, skipSummarization } = read.values
  if (!read.has("agent")) return null
  const agentAt = read.locationOf("agent")
  const target = targetOf(given, agentAt)
  if (target?.agent.id == null) return null
  const { agent, first } = target
  const { id } = agent
  if (id === null) return null
  return {
    name: { id, location },
    own: {
      ...absentFields(agentToolDescription.fields),
      type: "AgentTool",
      id,
      target: { id, location: agentAt },
      inline: first ? agent : null,
      skipSummarization: skipSummarization ?? false,
      ...expiryOf(read.values),
      location: { ...location, field: "", owner: toolOwner("AgentTool", id, location) },
      fieldAt: (field) => (field === "id" ? agent.fieldAt("id") : fieldOf(location, field)),
    },
  }
}

/**
 * Parses the agent that an AgentTool runs. `given` is a nested agent, the path of its file,
 * `{config_path}` or `{code}`. `first` is false if another tool already runs the agent of the same
 * file. In this case, this tool only refers to the agent by name.
 */
function targetOf(
  given: unknown,
  location: ParserLocation,
): { readonly agent: AgentConfig; readonly first: boolean } | null {
  if (typeof given === "string") return targetOfReference(given, location)
  const object = objectOf(given)
  if (object !== null && refersElsewhere(object) === "file") {
    const field = object["config_path"] === undefined ? "configPath" : "config_path"
    const path = filledText(object[field], fieldOf(location, field))
    return path === null ? null : targetOfReference(path, fieldOf(location, field))
  }
  const agent = readUnconditional(given, location)
  return agent && { agent, first: true }
}

const entryFields = fieldTable(
  "an entry of tools",
  { name: required(filledText, "Add the name of the tool."), args: optional(anything) },
  { synonyms: { id: "name", arguments: "args" } },
)

const agentToolFields = fieldTable("an AgentTool's args", {
  agent: required(anything, "Add the agent that the tool runs."),
  skipSummarization: optional(flag),
  ...expiryFields,
})
