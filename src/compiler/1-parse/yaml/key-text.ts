import { isScalar } from "yaml"

/**
 * Returns a YAML key as a JSON key. A string is unchanged; other plain values, such as numbers, are
 * converted to text as written. Returns null for a key that is not a plain value.
 */
export function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value))
}
