import type { AgentConfig, ParsedCustomAgent } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { customAgent } from "../../../agent-types/custom-agent.js"
import { absentFields } from "../../fields/described-table.js"
import { identifier } from "../../fields/identifier.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { show } from "../../../diagnostics/show.js"
import { serviceName } from "../values/service-names.js"

/**
 * Reads a reference such as `{code: "module.agent"}` to an agent that is registered with the
 * runner.
 */
export function codeAgent(
  object: Readonly<Record<string, unknown>>,
  at: ParserLocation,
  given?: ParserLocation,
): AgentConfig | null {
  const read = readFields(object, codeReference, at)
  const service = read.values.code
  return service === null ? null : agentOfCode(service, given ?? read.at("code"))
}

function agentOfCode(service: string, at: ParserLocation): ParsedCustomAgent {
  const known = at.parser.services.find(service, "agent")
  const id = known?.shownAs ?? nameOf(service, known !== null)
  identifier(id, at)
  const own: ParserLocation = {
    ...at,
    field: "",
    owner: { kind: "agent", id, label: `the CustomAgent ${show(id)}` },
  }
  return {
    ...absentFields(customAgent.fields),
    type: "CustomAgent",
    id,
    description: known?.description ?? null,
    at: own,
    fieldAt: () => at,
    service,
    fields: null,
  }
}

/**
 * Usual variable names for the agent of a Python module, as in `module.root_agent`. They are too
 * general to be names of agents.
 */
const conventional = ["root_agent", "agent", "app"]

/**
 * Returns the name of an agent that is registered as a service. This is the last part of the dotted
 * name if the service is declared and this part is not a usual variable name. Otherwise, it is the
 * whole dotted name.
 */
function nameOf(service: string, isDeclared: boolean): string {
  const last = service.slice(service.lastIndexOf(".") + 1)
  return isDeclared && !conventional.includes(last) ? last : service
}

const codeReference = fieldTable("a reference to code", {
  code: required(
    serviceName("agent"),
    "Write the name under which the agent is registered with the runner.",
  ),
  when: optional(anything),
})
