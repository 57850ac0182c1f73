import type { AgentConfig, CustomAgentConfig } from "../agent-config.js"
import { anything } from "../fields/data.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { identifier } from "../fields/identifier.js"
import { readFields } from "../fields/read-fields.js"
import type { Place } from "../place.js"
import { show } from "../show.js"
import { serviceName } from "./service-names.js"

/** `{code: "module.agent"}`: an agent that a service of the runner is. It bears the last part of the name, unless the service says otherwise. */
export function codeAgent(
  object: Readonly<Record<string, unknown>>,
  at: Place,
  given?: Place,
): AgentConfig | null {
  const read = readFields(object, codeReference, at)
  const service = read.values.code
  return service === null ? null : agentOfCode(service, given ?? read.at("code"))
}

function agentOfCode(service: string, at: Place): CustomAgentConfig {
  const known = at.reading.services.find(service, "agent")
  const id = known?.shownAs ?? service.slice(service.lastIndexOf(".") + 1)
  identifier(id, at)
  const own: Place = {
    ...at,
    field: "",
    owner: { kind: "agent", id, label: `the CustomAgent ${show(id)}` },
  }
  return {
    type: "CustomAgent",
    id,
    description: known?.description ?? null,
    at: own,
    fieldAt: () => at,
    service,
    subAgents: [],
    hooks: {},
  }
}

const codeReference = fieldTable("a reference to code", {
  code: required(
    serviceName("agent"),
    "Write the name of the agent as it is registered with the runner.",
  ),
  when: optional(anything),
})
