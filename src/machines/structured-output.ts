import type { JsonObject } from "./contract.js"
import type { Lookup } from "./step.js"

export type Structured =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly violation: string }

/** Reads a final text as the value that a schema asks for (SPEC section 8, `outputSchema`). */
export function readStructured(
  text: string | null,
  schema: JsonObject,
  lookup: Lookup,
): Structured {
  let value: unknown
  try {
    value = JSON.parse(text ?? "")
  } catch {
    return { ok: false, violation: "it is no JSON" }
  }
  const violation = lookup.validate(schema, value)
  return violation === null ? { ok: true, value } : { ok: false, violation }
}
