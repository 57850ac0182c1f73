import { pointerToken } from "../../machines/data/json-pointer.js"

/**
 * The location of a nested value inside the validated value, as a linked list of keys. The location
 * of the validated value itself is null.
 */
export interface Location {
  readonly within: Location | null
  readonly key: string | number
  /** Length of the JSON pointer to this location, in characters. */
  readonly length: number
}

/** Returns the location of a property or item inside the location `within`. */
export const inside = (within: Location | null, key: string | number): Location => ({
  within,
  key,
  length: (within?.length ?? 0) + 1 + String(key).length,
})

/**
 * A violation of a schema keyword. `message` creates the message when it is called, because most
 * messages are never used.
 */
export interface SchemaViolation {
  readonly location: Location | null
  readonly message: () => string
  /**
   * True if the violated schema is `false`, because the message of this violation would not help
   * the reader.
   */
  readonly isSilent?: true
}

/**
 * Returns the more specific of two violations: the violation with the longer JSON pointer, or the
 * second violation if the pointers are equally long. A violation of the schema `false` is less
 * specific than any other violation. Returns null if both are null.
 */
export function moreSpecific(
  first: SchemaViolation | null,
  second: SchemaViolation | null,
): SchemaViolation | null {
  if (first === null || second === null) return first ?? second
  if (first.isSilent !== second.isSilent) return first.isSilent === true ? second : first
  return (second.location?.length ?? 0) >= (first.location?.length ?? 0) ? second : first
}

/** Returns the JSON pointer of a location; "" for the validated value itself. */
export function pointerOf(location: Location | null): string {
  const keys: string[] = []
  for (let place = location; place !== null; place = place.within)
    keys.push(pointerToken(String(place.key)))
  return keys
    .reverse()
    .map((key) => `/${key}`)
    .join("")
}

/** Returns a part of a schema as JSON for messages. A long text is cut after 300 characters. */
export function abbreviated(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
