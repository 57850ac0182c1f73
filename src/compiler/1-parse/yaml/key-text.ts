import { isScalar } from "yaml"

/**
 * Converts a YAML key to a JSON key. A string is unchanged. Other scalars, such as numbers, become
 * text as written. Returns null for a list, a map or an alias.
 */
export function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value))
}
