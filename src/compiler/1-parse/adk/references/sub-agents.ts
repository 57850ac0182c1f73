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
import { show } from "../../../diagnostics/show.js"
import { refersElsewhere } from "../values/agent-class.js"

/**
 * Reads the sub-agents of a container. Each of them is a nested agent or a reference to an agent in
 * the workflow's list.
 */
export const positions: Reader<readonly SubAgentConfig[]> = (value, at) => {
  const entries = list(value, at)
  if (entries?.length === 0)
    report(at, {
      code: "empty_sub_agents",
      says: "is an empty list",
      fix: "Add at least one agent.",
    })
  return entries?.flatMap((entry, index) => position(entry, fieldOf(at, index)) ?? []) ?? null
}

/** Reads the sub-agents of an LlmAgent. The LlmAgent can hand off the conversation to them. */
export const handoffTargets: Reader<readonly SubAgentConfig[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index) => handoffTarget(entry, fieldOf(at, index)) ?? []) ?? null

/**
 * Reads the sub-agents of a host function. A `when` condition has no effect here, because the
 * function decides which sub-agents run.
 */
export const codeSubAgents: Reader<readonly SubAgentConfig[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index): readonly SubAgentConfig[] => {
    const own = fieldOf(at, index)
    const object = objectOf(entry)
    if (object !== null && refersTo(object)) {
      const { values, has, at: fieldAt } = readDescribed(object, agentReferences, own)
      if (has("when")) warnOfCondition(fieldAt("when"))
      return values.agentId === null
        ? []
        : [{ type: "reference", to: values.agentId, when: null, at: own }]
    }
    const agent = readUnconditional(entry, own)
    return agent === null ? [] : [{ type: "inline", agent, when: null, at: own }]
  }) ?? null

function position(entry: unknown, at: ParserLocation): SubAgentConfig | null {
  const object = objectOf(entry)
  if (object !== null && refersTo(object)) {
    const { values } = readDescribed(object, agentReferences, at)
    return values.agentId === null
      ? null
      : { type: "reference", to: values.agentId, when: values.when, at }
  }
  const agent = at.parser.readAgent(entry, at)
  if (agent === null) return null
  const when = object?.["when"] ?? null
  return {
    type: "inline",
    agent,
    when: when === null ? null : condition(when, whenOf(object, agent, at)),
    at,
  }
}

function handoffTarget(entry: unknown, at: ParserLocation): SubAgentConfig | null {
  const object = objectOf(entry)
  if (object !== null && refersTo(object)) {
    return report(at, {
      code: "reference_instead_of_agent",
      says: `is the reference ${show(object["agentId"] ?? object["agent_id"])}, but must be a complete agent`,
      fix: "Write the complete agent here instead of a reference, because an LlmAgent contains its handoff targets.",
    })
  }
  const agent = readUnconditional(entry, at)
  return agent && { type: "inline", agent, when: null, at }
}

/**
 * Reads an agent that is not in a container. Reports a warning if the agent has a `when` condition,
 * because the condition has no effect outside a container.
 */
export function readUnconditional(entry: unknown, at: ParserLocation): AgentConfig | null {
  const agent = at.parser.readAgent(entry, at)
  if (agent !== null && (objectOf(entry)?.["when"] ?? null) !== null)
    warnOfCondition(whenOf(entry, agent, at))
  return agent
}

/**
 * Returns the location of the `when` condition of an entry. For a reference to a file or to code,
 * the condition is a field of the reference, not of the agent.
 */
const whenOf = (entry: unknown, agent: AgentConfig, at: ParserLocation): ParserLocation =>
  refersElsewhere(entry) === null
    ? { ...agent.fieldAt("when"), parser: at.parser }
    : fieldOf(at, "when")

const warnOfCondition = (at: ConfigLocation): null =>
  report(at, {
    code: "no_effect",
    severity: "warning",
    says: "has no effect: only an agent in a SequentialAgent, a ParallelAgent or a LoopAgent can be skipped",
    fix: 'Remove "when", or put the agent into a container.',
    part: "key",
  })

const refersTo = (object: Readonly<Record<string, unknown>>): boolean =>
  "agentId" in object || "agent_id" in object

const agentReferences = describedTable(agentReference, "adk", sharedReaders)
