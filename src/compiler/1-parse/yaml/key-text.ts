import { isScalar } from "yaml"

/** A key as JSON has it: texts as they are, numbers and the like as they are written. Null for a key that is no plain value. */
export function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value))
}
