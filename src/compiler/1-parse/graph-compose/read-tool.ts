import type { ToolConfig } from "../agent-config.js"
import { activityConfig, defaultActivity } from "../fields/activity-config.js"
import { anything, data } from "../fields/data.js"
import { duration } from "../fields/duration.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { httpConfig } from "../fields/http-config.js"
import { identifier, reference } from "../fields/identifier.js"
import { outputKey } from "../fields/output-key.js"
import { flag, objectOf, text } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { Owner, Place } from "../place.js"
import { fieldOf, report } from "../place.js"
import { oneOfThese, show } from "../show.js"
import { didYouMean } from "../suggest.js"

const toolTypes = ["HttpTool", "AgentTool"]

/** Reads a tool of the graph-compose dialect. */
export function readTool(value: unknown, at: Place): ToolConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(at, { code: "wrong_type", says: `is ${show(value)}, not a tool`, cure: 'Write an object with "type" and "id".' })
  }
  const type = object["type"]
  const own: Place = { ...at, field: "", owner: toolOwner(type, object["id"], at) }
  if (type === "HttpTool") return readHttpTool(object, own)
  if (type === "AgentTool") return readAgentTool(object, own)
  const typeAt = fieldOf(own, "type")
  const choices = oneOfThese(toolTypes.map((name) => `"${name}"`))
  if (type === undefined || type === null) {
    report({ ...typeAt, pointer: own.pointer }, { code: "missing_field", says: "is missing", cure: `Add "type": ${choices}.` })
  } else {
    const meant = typeof type === "string" ? at.reading.suggest(type, toolTypes) : null
    report(typeAt, {
      code: "unknown_tool_type",
      says: `is ${show(type)}, which is no tool type of the graph-compose dialect`,
      cure: `${didYouMean(meant)}Write ${choices}.`,
    })
  }
  const id = object["id"] === undefined ? null : identifier(object["id"], fieldOf(own, "id"))
  return { type: null, id, at: own, fieldAt: (field) => fieldOf(own, field) }
}

function readHttpTool(object: Readonly<Record<string, unknown>>, at: Place): ToolConfig {
  const read = readFields(object, httpTool, at, [agentTool])
  const { id, description, parameters, outputKey, activityConfig, httpConfig, expiresIn } = read.values
  return {
    type: "HttpTool",
    id,
    description,
    parameters,
    endpoint: httpConfig,
    outputKey,
    expiresInMs: expiresIn,
    activity: activityConfig ?? defaultActivity,
    at,
    fieldAt: read.at,
  }
}

function readAgentTool(object: Readonly<Record<string, unknown>>, at: Place): ToolConfig {
  const read = readFields(object, agentTool, at, [httpTool])
  const { id, targetAgentId, skipSummarization, outputKey, activityConfig } = read.values
  return {
    type: "AgentTool",
    id,
    target: targetAgentId,
    skipSummarization: skipSummarization ?? false,
    outputKey,
    activity: activityConfig ?? defaultActivity,
    at,
    fieldAt: read.at,
  }
}

function toolOwner(type: unknown, id: unknown, at: Place): Owner {
  const kind = typeof type === "string" && toolTypes.includes(type) ? type : "tool"
  if (typeof id === "string" && id !== "") return { kind: "tool", id, label: `the ${kind} ${show(id)}` }
  return { kind: "tool", id: null, label: `the ${kind} at ${at.pointer}` }
}

const common = {
  type: optional(anything),
  id: required(identifier, 'Add an id, such as "id": "search".'),
  outputKey: optional(outputKey),
  activityConfig: optional(activityConfig),
}

const httpTool = fieldTable(
  "an HttpTool",
  {
    ...common,
    httpConfig: required(httpConfig, 'Add {"url": "https://...", "method": "POST"}.', { because: "nothing says where it is called" }),
    description: optional(text),
    parameters: optional(data),
    expiresIn: optional(duration),
  },
  { synonyms: { name: "id", http: "httpConfig", inputSchema: "parameters", schema: "parameters", timeout: "activityConfig" } },
)

const agentTool = fieldTable(
  "an AgentTool",
  {
    ...common,
    targetAgentId: required(reference, "Name the agent that it runs."),
    skipSummarization: optional(flag),
  },
  {
    synonyms: {
      name: "id",
      agentId: "targetAgentId",
      agent_id: "targetAgentId",
      agent: "targetAgentId",
      target: "targetAgentId",
      timeout: "activityConfig",
    },
  },
)
