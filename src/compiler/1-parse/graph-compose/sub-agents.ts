import type { SubAgentConfig } from "../config/agent-config.js"
import type { Reader } from "../fields/field-table.js"
import { list, objectOf } from "../fields/plain-values.js"
import { sharedReaders } from "../fields/value-readers.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { agentReference } from "../../agent-types/workflow.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"

/**
 * Parses the sub-agents of a container, such as a SequentialAgent. Each entry must be a reference
 * to an agent in the workflow's list of agents.
 */
export const positions: Reader<readonly SubAgentConfig[]> = (value, location) => {
  const entries = list(value, location)
  if (entries?.length === 0) {
    report(location, {
      code: "empty_sub_agents",
      problem: "is an empty list",
      fix: `Add at least one agent to the list: {"${agentId(location)}": "..."}.`,
    })
  }
  return entries?.flatMap((entry, index) => position(entry, fieldOf(location, index)) ?? []) ?? null
}

/**
 * Parses the sub-agents of an LlmAgent, to which it can hand off the conversation. In the
 * graph-compose dialect, each entry must be a complete agent, not a reference.
 */
export const handoffTargets: Reader<readonly SubAgentConfig[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => handoffTarget(entry, fieldOf(location, index)) ?? [],
  ) ?? null

function position(entry: unknown, location: ParserLocation): SubAgentConfig | null {
  const object = objectOf(entry)
  if (object === null) {
    const fix =
      typeof entry === "string"
        ? `Write {"${agentId(location)}": ${describeValue(entry)}}.`
        : `Write {"${agentId(location)}": "..."}.`
    return report(location, {
      code: "wrong_type",
      problem: `must be a reference to an agent, not ${describeValue(entry)}`,
      fix,
    })
  }
  if (isAgent(object)) {
    report(location, {
      code: "inline_agent",
      problem: `is an agent, but must be a reference {"${agentId(location)}": "..."}`,
      fix: `Move the agent to "agents" of the workflow and write {"${agentId(location)}": ${describeValue(object["id"] ?? "...")}} here.`,
    })
    return inline(object, location)
  }
  const { values } = readDescribed(object, agentReferences, location)
  return values.agentId === null
    ? null
    : { type: "reference", to: values.agentId, when: values.when, location }
}

function handoffTarget(entry: unknown, location: ParserLocation): SubAgentConfig | null {
  const object = objectOf(entry)
  if (object === null || !refersTo(object)) return inline(entry, location)
  return report(location, {
    code: "reference_instead_of_agent",
    problem: `is the reference ${describeValue(object["agentId"] ?? object["agent_id"])}, but must be a complete agent`,
    fix: "Write the complete agent here, with its type and id, because an LlmAgent contains its handoff targets.",
  })
}

function inline(entry: unknown, location: ParserLocation): SubAgentConfig | null {
  const agent = location.parser.readAgent(entry, location)
  return agent && { type: "inline", agent, when: null, location }
}

/**
 * Returns whether an entry of a container's sub-agents defines an agent. Otherwise, the entry
 * refers to an agent. An entry with only `id`, or `id` and `when`, is treated as a reference with a
 * misspelled `agentId`.
 */
const isAgent = (object: Readonly<Record<string, unknown>>): boolean =>
  !refersTo(object) &&
  (object["type"] !== undefined ||
    (object["id"] !== undefined &&
      Object.keys(object).some((key) => key !== "id" && key !== "when")))

const refersTo = (object: Readonly<Record<string, unknown>>): boolean =>
  "agentId" in object || "agent_id" in object

const agentId = (location: ParserLocation): string => location.parser.naming.name("agentId")

const agentReferences = describedTable(agentReference, "graph-compose", sharedReaders)
