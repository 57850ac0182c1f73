import type { JsonObject } from "../data/json-object.js"
import type { Lookup } from "../contract/machine-kind.js"

export type Structured =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly violation: string }

/**
 * Returns whether a final text is null, empty or only white space. Such a text is neither validated
 * nor stored (docs/semantics.md#output-schemas).
 */
export const isBlank = (text: string | null): boolean => text === null || text.trim() === ""

/** Returns the JSON schema of an agent's final text, or null if the agent has none. */
function outputSchemaOf(agent: string, { chart }: Lookup): JsonObject | null {
  const definition = chart.agents[agent]
  return definition?.type === "LlmAgent" ? (definition.adk?.outputSchema ?? null) : null
}

/**
 * Returns the value of an agent's final text. If the agent has an output schema, it is the parsed
 * JSON value. Otherwise, or if the text does not match the schema, it is the text itself.
 */
export function valueOfText(agent: string, text: string | null, lookup: Lookup): unknown {
  const schema = outputSchemaOf(agent, lookup)
  const read = schema === null ? null : readStructured(text, schema, lookup)
  return read?.ok === true ? read.value : text
}

/**
 * Parses an agent's final text as JSON and validates it against a JSON schema. Returns the value or
 * the violation (docs/semantics.md#output-schemas).
 */
export function readStructured(
  text: string | null,
  schema: JsonObject,
  lookup: Lookup,
): Structured {
  let value: unknown
  try {
    value = JSON.parse(text ?? "")
  } catch {
    return { ok: false, violation: "it is not JSON" }
  }
  const violation = lookup.validate(schema, value)
  return violation === null ? { ok: true, value } : { ok: false, violation }
}
