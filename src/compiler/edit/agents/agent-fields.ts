import { agentDescriptions } from "../../schema/config-schema.js"
import { customAgent } from "../../agent-types/custom-agent.js"
import { machineAgent } from "../../agent-types/machine-agent.js"
import type { Dialect } from "../../agent-types/dialects.js"
import type { FieldDescription, ObjectDescription } from "../../agent-types/field-description.js"
import { snakeCase } from "../../diagnostics/naming.js"

const hostFunctions = { CustomAgent: customAgent, MachineAgent: machineAgent } as const

/**
 * Returns the description of the config fields of an agent type. Returns undefined if the dialect
 * has no such type.
 */
export function descriptionOf(type: string, dialect: Dialect): ObjectDescription | undefined {
  const types: Readonly<Record<string, ObjectDescription>> = {
    ...agentDescriptions[dialect],
    ...(dialect === "adk" && hostFunctions),
  }
  return Object.hasOwn(types, type) ? types[type] : undefined
}

/**
 * Returns the types of agents that users can add in the chart editor. Graph nodes such as joins are
 * not included, because they need edges.
 */
export const addableTypes = (dialect: Dialect): readonly string[] => [
  "LlmAgent",
  "SequentialAgent",
  "ParallelAgent",
  "LoopAgent",
  "HumanAgent",
  "WorkflowAgent",
  "RemoteA2AAgent",
  "WaitAgent",
  ...(dialect === "adk" ? ["CustomAgent"] : []),
]

/** Returns the fields of an agent type that exist in a dialect, as pairs of key and description. */
export const fieldsIn = (
  { fields }: ObjectDescription,
  dialect: Dialect,
): readonly (readonly [key: string, field: FieldDescription])[] =>
  Object.entries<FieldDescription>(fields).filter(
    ([, field]) => field.dialects[dialect] !== undefined,
  )

/** Returns all accepted names of a field in camelCase and snake_case. */
export function namesOf(
  key: string,
  { dialects }: FieldDescription,
  dialect: Dialect,
): readonly string[] {
  const { name = key, aliases = [] } = dialects[dialect] ?? {}
  return [...new Set([name, ...aliases].flatMap((word) => [word, snakeCase(word)]))]
}

/**
 * Returns the key of the field description for `name`, which is the key itself or an accepted name
 * of the field. Returns null if the agent type has no such field.
 */
export function keyOfField(
  name: string,
  description: ObjectDescription,
  dialect: Dialect,
): string | null {
  const fields = fieldsIn(description, dialect)
  const exact = fields.find(([key]) => key === name)
  const found = exact ?? fields.find(([key, field]) => namesOf(key, field, dialect).includes(name))
  return found?.[0] ?? null
}
