import type { AgentConfig } from "../config/agent-config.js"
import { intendedType } from "../fields/intended-type.js"
import { identifier } from "../fields/identifier.js"
import { objectOf } from "../fields/plain-values.js"
import type { Owner } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { agentReaders } from "./agent-types.js"

type AgentType = keyof typeof agentReaders

const agentTypes = Object.keys(agentReaders)

/**
 * Parses an agent of the graph-compose dialect. Its `type` determines which fields it has. Returns
 * null if the value is not an agent.
 */
export function readAgent(value: unknown, location: ParserLocation): AgentConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(location, {
      code: "wrong_type",
      problem: `must be an agent, not ${describeValue(value)}`,
      fix: 'Write an object with "type" and "id".',
    })
  }
  const type = object["type"]
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: agentOwner(type, object["id"], location),
  }
  if (isAgentType(type)) return agentReaders[type](object, own)
  const typeAt = fieldOf(own, "type")
  if (type === undefined || type === null) {
    const fix = `Add "type": ${oneOfThese(agentTypes.map((name) => `"${name}"`))}.`
    report(
      { ...typeAt, pointer: own.pointer },
      { code: "missing_field", problem: "is missing", fix },
    )
  } else {
    const suggestion =
      typeof type === "string" ? intendedType(type, agentTypes, location.parser.suggest) : null
    report(typeAt, {
      code: "unknown_agent_type",
      problem: `is ${describeValue(type)}, which is not an agent type of the graph-compose dialect`,
      fix: `${didYouMean(suggestion)}Write ${oneOfThese(agentTypes.map((name) => `"${name}"`))}.`,
    })
  }
  const id = object["id"] === undefined ? null : identifier(object["id"], fieldOf(own, "id"))
  return {
    type: null,
    id,
    description: null,
    location: own,
    fieldAt: (field) => fieldOf(own, field),
  }
}

const isAgentType = (type: unknown): type is AgentType =>
  typeof type === "string" && Object.hasOwn(agentReaders, type)

function agentOwner(type: unknown, id: unknown, location: ParserLocation): Owner {
  const kind = isAgentType(type) ? type : "agent"
  if (typeof id === "string" && id !== "")
    return { kind: "agent", id, label: `the ${kind} ${describeValue(id)}` }
  return { kind: "agent", id: null, label: `the ${kind} at ${location.pointer}` }
}
