import type { AgentConfig, ParsedCustomAgent } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { customAgent } from "../../../agent-types/custom-agent.js"
import { absentFields } from "../../fields/described-table.js"
import { identifier } from "../../fields/identifier.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { describeValue } from "../../../diagnostics/show.js"
import { serviceName } from "../values/service-names.js"

/**
 * Parses a reference such as `{code: "module.agent"}` to an agent that is registered with the
 * runner. Problems are reported at the location `given`, or by default at the field `code`. Returns
 * null if the reference is invalid.
 */
export function codeAgent(
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
  given?: ParserLocation,
): AgentConfig | null {
  const read = readFields(object, codeReference, location)
  const service = read.values.code
  return service === null ? null : agentOfCode(service, given ?? read.locationOf("code"))
}

function agentOfCode(service: string, location: ParserLocation): ParsedCustomAgent {
  const known = location.parser.services.find(service, "agent")
  const id = known?.shownAs ?? nameOf(service, known !== null)
  identifier(id, location)
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: { kind: "agent", id, label: `the CustomAgent ${describeValue(id)}` },
  }
  return {
    ...absentFields(customAgent.fields),
    type: "CustomAgent",
    id,
    description: known?.description ?? null,
    location: own,
    fieldAt: () => location,
    service,
    fields: null,
  }
}

/**
 * Usual names of the variable that contains the agent of a Python module, as in
 * `module.root_agent`. They are too general to be used as agent names.
 */
const conventional = ["root_agent", "agent", "app"]

/**
 * Returns the agent name for the dotted name of a registered service. This is the last part of the
 * dotted name if the service is declared and this part is not a usual variable name such as
 * `root_agent`. Otherwise, it is the whole dotted name.
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
