import type { AgentConfig, SubAgentConfig } from "../../config/agent-config.js"
import { condition } from "../../fields/condition.js"
import type { Reader } from "../../fields/field-table.js"
import { list, objectOf } from "../../fields/plain-values.js"
import { sharedReaders } from "../../fields/value-readers.js"
import { describedTable, readDescribed } from "../../fields/described-table.js"
import { agentReference } from "../../../agent-types/workflow.js"
import type { ParserLocation } from "../../context/parser-context.js"
import type { ConfigLocation } from "../../../diagnostics/config-location.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { describeValue } from "../../../diagnostics/show.js"
import { refersElsewhere } from "../values/agent-class.js"

/**
 * Parses the sub-agents of a container, such as a SequentialAgent. Each entry is a nested agent or
 * a reference to an agent in the workflow's list of agents.
 */
export const positions: Reader<readonly SubAgentConfig[]> = (value, location) => {
  const entries = list(value, location)
  if (entries?.length === 0)
    report(location, {
      code: "empty_sub_agents",
      problem: "is an empty list",
      fix: "Add at least one agent.",
    })
  return entries?.flatMap((entry, index) => position(entry, fieldOf(location, index)) ?? []) ?? null
}

/**
 * Parses the sub-agents of an LlmAgent. The LlmAgent can hand off the conversation to these agents.
 */
export const handoffTargets: Reader<readonly SubAgentConfig[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => handoffTarget(entry, fieldOf(location, index)) ?? [],
  ) ?? null

/**
 * Parses the sub-agents of a CustomAgent, which is a host function. A `when` condition on a
 * sub-agent has no effect, because the function decides which sub-agents run.
 */
export const codeSubAgents: Reader<readonly SubAgentConfig[]> = (value, location) =>
  list(value, location)?.flatMap((entry, index): readonly SubAgentConfig[] => {
    const own = fieldOf(location, index)
    const object = objectOf(entry)
    if (object !== null && refersTo(object)) {
      const { values, has, locationOf: fieldAt } = readDescribed(object, agentReferences, own)
      if (has("when")) warnOfCondition(fieldAt("when"))
      return values.agentId === null
        ? []
        : [{ type: "reference", to: values.agentId, when: null, location: own }]
    }
    const agent = readUnconditional(entry, own)
    return agent === null ? [] : [{ type: "inline", agent, when: null, location: own }]
  }) ?? null

function position(entry: unknown, location: ParserLocation): SubAgentConfig | null {
  const object = objectOf(entry)
  if (object !== null && refersTo(object)) {
    const { values } = readDescribed(object, agentReferences, location)
    return values.agentId === null
      ? null
      : { type: "reference", to: values.agentId, when: values.when, location }
  }
  const agent = location.parser.readAgent(entry, location)
  if (agent === null) return null
  const when = object?.["when"] ?? null
  return {
    type: "inline",
    agent,
    when: when === null ? null : condition(when, whenOf(object, agent, location)),
    location,
  }
}

function handoffTarget(entry: unknown, location: ParserLocation): SubAgentConfig | null {
  const object = objectOf(entry)
  if (object !== null && refersTo(object)) {
    return report(location, {
      code: "reference_instead_of_agent",
      problem: `is the reference ${describeValue(object["agentId"] ?? object["agent_id"])}, but must be a complete agent`,
      fix: "Write the complete agent here instead of a reference, because an LlmAgent contains its handoff targets.",
    })
  }
  const agent = readUnconditional(entry, location)
  return agent && { type: "inline", agent, when: null, location }
}

/**
 * Parses an agent that is not in a container. Reports a warning if the agent has a `when`
 * condition, because the condition has no effect outside a container.
 */
export function readUnconditional(entry: unknown, location: ParserLocation): AgentConfig | null {
  const agent = location.parser.readAgent(entry, location)
  if (agent !== null && (objectOf(entry)?.["when"] ?? null) !== null)
    warnOfCondition(whenOf(entry, agent, location))
  return agent
}

/**
 * Returns the location of the `when` condition of a sub-agent entry. If the entry refers to a file
 * or to code, the condition is a field of the reference, not of the agent.
 */
const whenOf = (entry: unknown, agent: AgentConfig, location: ParserLocation): ParserLocation =>
  refersElsewhere(entry) === null
    ? { ...agent.fieldAt("when"), parser: location.parser }
    : fieldOf(location, "when")

const warnOfCondition = (location: ConfigLocation): null =>
  report(location, {
    code: "no_effect",
    severity: "warning",
    problem:
      "has no effect: only an agent in a SequentialAgent, a ParallelAgent or a LoopAgent can be skipped",
    fix: 'Remove "when", or put the agent into a container.',
    part: "key",
  })

const refersTo = (object: Readonly<Record<string, unknown>>): boolean =>
  "agentId" in object || "agent_id" in object

const agentReferences = describedTable(agentReference, "adk", sharedReaders)
