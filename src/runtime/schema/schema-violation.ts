import { pointerToken } from "../../machines/data/json-pointer.js"

/**
 * Location of a nested value in the validated value, as a linked list of keys. For the validated
 * value itself, null is used instead.
 */
export interface Location {
  readonly within: Location | null
  readonly key: string | number
  /**
   * Length in characters of the JSON pointer to this location. Used to find the more specific of
   * two violations.
   */
  readonly length: number
}

/** Returns the location of the property or item `key` of the value at `within`. */
export const inside = (within: Location | null, key: string | number): Location => ({
  within,
  key,
  length: (within?.length ?? 0) + 1 + String(key).length,
})

/**
 * A violation of a schema keyword. `message` is a function, because most messages are never needed.
 */
export interface SchemaViolation {
  readonly location: Location | null
  readonly message: () => string
  /**
   * True if the violated schema is `false`. Its message does not explain the cause, so the message
   * of any other violation is reported instead.
   */
  readonly isSilent?: true
}

/**
 * Returns the more specific of two violations. This is the violation with the longer JSON pointer,
 * or `second` if the lengths are equal. However, a violation of the schema `false` is always less
 * specific than another violation. Returns null if both are null.
 */
export function moreSpecific(
  first: SchemaViolation | null,
  second: SchemaViolation | null,
): SchemaViolation | null {
  if (first === null || second === null) return first ?? second
  if (first.isSilent !== second.isSilent) return first.isSilent === true ? second : first
  return (second.location?.length ?? 0) >= (first.location?.length ?? 0) ? second : first
}

/**
 * Returns the JSON pointer of a location, for example `/items/0`. Returns an empty string for the
 * validated value itself.
 */
export function pointerOf(location: Location | null): string {
  const keys: string[] = []
  for (let part = location; part !== null; part = part.within)
    keys.push(pointerToken(String(part.key)))
  return keys
    .reverse()
    .map((key) => `/${key}`)
    .join("")
}

/**
 * Returns a value of the keyword `const` or `enum` as JSON for error messages, cut after 300
 * characters.
 */
export function abbreviated(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
