import type { AgentConfig } from "../config/agent-config.js"
import { objectOf } from "../fields/plain-values.js"
import type { Owner } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { intendedType } from "../fields/intended-type.js"
import { builtInClass, refersElsewhere, writtenClass } from "./values/agent-class.js"
import { agentReaders } from "./agent-types.js"
import { agentName } from "./values/agent-name.js"
import { codeAgent } from "./references/code-agents.js"
import { agentOfReference } from "./references/file-references.js"
import { looksLikeAgent } from "./looks-like-agent.js"

type AgentClass = keyof typeof agentReaders

const agentClasses = Object.keys(agentReaders)

/**
 * Parses an agent of the adk dialect. The class determines which fields the agent has. An agent
 * without a class is an LlmAgent. Returns null if the value is not an agent.
 */
export function readAgent(value: unknown, location: ParserLocation): AgentConfig | null {
  const object = objectOf(value)
  if (object === null) {
    return report(location, {
      code: location.pointer === "" ? "config_shape" : "wrong_type",
      problem: `must be an agent, not ${describeValue(value)}`,
      fix:
        typeof value === "string"
          ? `Define the agent here as an object with "name": ${describeValue(value)}, or refer to its file with "${location.parser.naming.name("configPath")}": ${describeValue(`${value}.yaml`)}.`
          : 'Write an object with "name".',
    })
  }
  if (location.pointer === "" && !looksLikeAgent(object)) {
    return report(location, {
      code: "config_shape",
      problem: "does not contain an agent: it has none of the fields of an agent",
      fix: 'Write an agent with "name", "instruction", "sub_agents" and so on, or with "agent_class" and the fields of that class.',
    })
  }
  const elsewhere = refersElsewhere(object)
  if (elsewhere !== null)
    return elsewhere === "file" ? agentOfReference(object, location) : codeAgent(object, location)
  const { value: written, field } = writtenClass(object)
  const known =
    written === undefined ? "LlmAgent" : typeof written === "string" ? agentClass(written) : ""
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: agentOwner(
      isAgentClass(known) ? known : "agent",
      object["name"] ?? object["id"],
      location,
    ),
  }
  if (isAgentClass(known)) return agentReaders[known](object, own)
  const classAt = fieldOf(own, field)
  const hint = Object.hasOwn(hints, known) ? hints[known] : undefined
  const hasMeaning = known !== "" && hint === undefined
  const suggestion = hasMeaning ? intendedType(known, agentClasses, location.parser.suggest) : null
  report(classAt, {
    code: "unknown_agent_type",
    problem: `is ${describeValue(written)}, which is not an agent class of the adk dialect`,
    fix: `${hint ?? didYouMean(suggestion)}Write ${oneOfThese(agentClasses.filter((name) => !name.endsWith("Node")).map((name) => `"${name}"`))}.`,
  })
  // Parses the agent as the class that was probably meant, to report further problems in the agent
  // and in its sub-agents.
  if (suggestion !== null && isAgentClass(suggestion)) return agentReaders[suggestion](object, own)
  const nameField = object["name"] === undefined ? "id" : "name"
  const id =
    object[nameField] === undefined ? null : agentName(object[nameField], fieldOf(own, nameField))
  return {
    type: null,
    id,
    description: null,
    location: own,
    fieldAt: (name) => fieldOf(own, name === "id" ? nameField : name),
  }
}

const hints: Readonly<Record<string, string>> = {
  GraphAgent: "The ADK class for graphs of nodes is Workflow. ",
  BaseAgent:
    "A BaseAgent does nothing by itself. For host functions, use CustomAgent or the dotted name of the class. ",
}

/**
 * Returns the class of an agent without the module path of ADK, such as `LlmAgent`. A dotted name
 * outside of ADK refers to a host function. For such a name, returns `CustomAgent`.
 */
function agentClass(written: string): string {
  const known = builtInClass(written)
  return known.includes(".") && !known.startsWith("google.adk.") ? "CustomAgent" : known
}

const isAgentClass = (name: string): name is AgentClass => Object.hasOwn(agentReaders, name)

function agentOwner(
  kind: string,
  name: unknown,
  { pointer, document: { file } }: ParserLocation,
): Owner {
  if (typeof name === "string" && name !== "")
    return { kind: "agent", id: name, label: `the ${kind} ${describeValue(name)}` }
  return {
    kind: "agent",
    id: null,
    label:
      pointer !== ""
        ? `the ${kind} at ${pointer}`
        : file === null
          ? `the root ${kind}`
          : `the ${kind} in ${file}`,
  }
}
