import type { FieldDescription } from "../../agent-types/field-description.js"
import { EditRefused } from "../contract/edit-command.js"
import type { ListPiece } from "../layout/piece.js"
import { addableTypes, descriptionOf, fieldsIn, keyOfField } from "./agent-fields.js"
import type { WorkflowText } from "./workflow-text.js"

/** The config of a new agent. `fields` contains its own fields, without its sub-agents. */
export interface NewAgent {
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The sub-agent of the new agent, if its type requires sub-agents. Null otherwise. */
  readonly child: NewAgent | null
}

/** Default names of new agents, by type. If the name is already used, a number is added. */
const baseNames: Readonly<Record<string, string>> = {
  LlmAgent: "agent",
  HumanAgent: "person",
  WorkflowAgent: "workflow",
  RemoteA2AAgent: "remote",
  WaitAgent: "wait",
  CustomAgent: "function",
  SequentialAgent: "sequence",
  ParallelAgent: "parallel",
  LoopAgent: "loop",
}

/** The maximum number of iterations in the config of a new loop. */
export const newMaximum = 3

/** The duration in the config of a new WaitAgent. */
const newDuration = "1h"

interface Options {
  readonly type: string
  readonly name: string | undefined
  /**
   * Values of fields of the new agent. A key is a field name, or the key of a field description.
   */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Creates the smallest valid config of an agent type. A container gets one new LlmAgent as its
 * sub-agent.
 */
export function newAgent({ type, name, fields = {} }: Options, config: WorkflowText): NewAgent {
  const { dialect } = config.parsed
  const description = descriptionOf(type, dialect)
  if (description === undefined || !addableTypes(dialect).includes(type))
    throw new EditRefused(
      "type_unknown",
      `An agent of type "${type}" cannot be added to a config of the ${dialect} dialect.`,
      `Choose one of: ${addableTypes(dialect).join(", ")}.`,
    )
  if (name !== undefined) config.requireFree(name)
  const own = name ?? config.freeName(baseNames[type] ?? "agent")
  const given = new Map<string, unknown>()
  for (const [field, value] of Object.entries(fields)) {
    const key = keyOfField(field, description, dialect)
    if (key === null || ["id", "agentClass", "subAgents"].includes(key))
      throw new EditRefused(
        "field_unknown",
        `"${field}" is not a field that a new agent of type ${type} can have.`,
        "Remove it.",
      )
    given.set(key, value)
  }
  const values: Record<string, unknown> = headOf(type, own, config)
  let child: NewAgent | null = null
  for (const [key, field] of fieldsIn(description, dialect)) {
    if (key === "id" || key === "agentClass") continue
    const missing = field.dialects[dialect]?.missing
    if (given.has(key)) values[config.spellingOf(key, type)] = given.get(key)
    else if (key === "subAgents" && missing !== undefined)
      child = newAgent({ type: "LlmAgent", name: config.freeName("agent", new Set([own])) }, config)
    else if (missing !== undefined || (key === "model" && dialect === "adk")) {
      if (missing?.unless !== undefined && given.has(missing.unless)) continue
      Object.assign(values, requiredField(key, type, field, config))
    }
  }
  return { name: own, fields: values, child }
}

/**
 * Returns the fields for the name and the type of a new agent. In the adk dialect, an LlmAgent
 * needs no type.
 */
export function headOf(type: string, name: string, config: WorkflowText): Record<string, unknown> {
  const id = config.spellingOf("id", type)
  const typeName = config.spellingOf("agentClass", type)
  if (config.parsed.dialect === "graph-compose") return { [typeName]: type, [id]: name }
  return type === "LlmAgent" ? { [id]: name } : { [typeName]: type, [id]: name }
}

/**
 * Returns an object with one required field of a new agent and its default value, such as
 * `{ maxIterations: 3 }`.
 */
function requiredField(
  key: string,
  type: string,
  { type: valueType }: FieldDescription,
  config: WorkflowText,
): Readonly<Record<string, unknown>> {
  if (valueType === "duration") return { [config.spellingOf(key, type)]: newDuration }
  if (valueType === "count") return { [config.spellingOf(key, type)]: newMaximum }
  if (type === "LlmAgent") return modelOf(config)
  throw new EditRefused(
    "field_missing",
    `A new agent of type ${type} needs the field "${config.spellingOf(key, type)}".`,
    `Pass a value for "${config.spellingOf(key, type)}" in the fields of the new agent.`,
  )
}

/** Name of a new agent's model if no other agent in the config has a model. */
const defaultModel = "default"

/**
 * Returns the field for the model or endpoint of a new agent. The value is copied from the first
 * LlmAgent in this file that has a model or endpoint. If there is none, the value is the first
 * model in the other files.
 */
function modelOf(config: WorkflowText): Readonly<Record<string, unknown>> {
  const agents = config.index
    .agents()
    .flatMap(({ config: agent }) => (agent.type === "LlmAgent" ? [agent] : []))
  for (const agent of agents) {
    if (!config.isInDocument(agent.location)) continue
    for (const key of ["model", "endpoint"]) {
      const value = config.dataAt(agent.fieldAt(key).pointer)
      if (value !== undefined && value !== null)
        return { [config.spellingOf(key, "LlmAgent")]: value }
    }
  }
  const model = agents.find((agent) => agent.model !== null)?.model ?? null
  // In the adk dialect, an agent without a model gets the default model of the compiler or the
  // runner. If no agent of the config has a model, the new agent does not need one.
  if (model === null && agents.length > 0 && config.parsed.dialect === "adk") return {}
  return { [config.spellingOf("model", "LlmAgent")]: model ?? defaultModel }
}

/** Returns the list entry for a new agent, which contains its sub-agents as nested objects. */
export const inlinePiece = ({ fields, child }: NewAgent, config: WorkflowText): ListPiece => ({
  kind: "draft",
  fields,
  list:
    child === null
      ? null
      : { name: config.spellingOf("subAgents", "LlmAgent"), pieces: [inlinePiece(child, config)] },
})
