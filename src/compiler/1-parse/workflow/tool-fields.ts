import type { AgentToolConfig, HttpToolConfig } from "../config/agent-config.js"
import { activityConfig, defaultActivity } from "../fields/activity-config.js"
import { anything, data } from "../fields/data.js"
import { expiryFields, expiryOf } from "../fields/expiry.js"
import { optional, required } from "../fields/field-table.js"
import { httpConfig } from "../fields/http-config.js"
import { identifier, reference } from "../fields/identifier.js"
import { outputKey } from "../fields/output-key.js"
import { flag, text } from "../fields/plain-values.js"
import type { ReadFields } from "../fields/read-fields.js"
import type { Owner } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import { show } from "../../diagnostics/show.js"

const common = {
  type: optional(anything),
  id: required(identifier, 'Add an id, such as "id": "search".'),
  outputKey: optional(outputKey),
  activityConfig: optional(activityConfig),
}

/** What an HttpTool has in both dialects. */
export const httpToolFields = {
  ...common,
  httpConfig: required(httpConfig, 'Add {"url": "https://...", "method": "POST"}.', {
    because: "the tool has no endpoint",
  }),
  description: optional(text),
  parameters: optional(data),
  ...expiryFields,
}

export const agentToolFields = {
  ...common,
  targetAgentId: required(reference, "Add the id of the agent that the tool runs."),
  skipSummarization: optional(flag),
}

export const httpToolSynonyms = {
  name: "id",
  http: "httpConfig",
  inputSchema: "parameters",
  schema: "parameters",
  timeout: "activityConfig",
}

export const agentToolSynonyms = {
  name: "id",
  agentId: "targetAgentId",
  agent_id: "targetAgentId",
  agent: "targetAgentId",
  target: "targetAgentId",
  timeout: "activityConfig",
}

export const httpToolConfig = (
  { values, at: fieldAt }: ReadFields<typeof httpToolFields>,
  at: ParserLocation,
): HttpToolConfig => ({
  type: "HttpTool",
  id: values.id,
  description: values.description,
  parameters: values.parameters,
  endpoint: values.httpConfig,
  outputKey: values.outputKey,
  ...expiryOf(values),
  requireConfirmation: false,
  activity: values.activityConfig ?? defaultActivity,
  at,
  fieldAt,
})

export const agentToolConfig = (
  { values, at: fieldAt }: ReadFields<typeof agentToolFields>,
  at: ParserLocation,
): AgentToolConfig => ({
  type: "AgentTool",
  id: values.id,
  target: values.targetAgentId,
  inline: null,
  skipSummarization: values.skipSummarization ?? false,
  outputKey: values.outputKey,
  expiresInMs: null,
  activity: values.activityConfig ?? defaultActivity,
  at,
  fieldAt,
})

/** `kind` is the type of the tool, where it has one. */
export const toolOwner = (kind: string, id: unknown, at: ParserLocation): Owner =>
  typeof id === "string" && id !== ""
    ? { kind: "tool", id, label: `the ${kind} ${show(id)}` }
    : { kind: "tool", id: null, label: `the ${kind} at ${at.pointer}` }
