/** The position of a part inside the validated value; null for the value itself. */
export interface Location {
  readonly within: Location | null
  readonly key: string | number
  /** Length of the JSON pointer in characters. */
  readonly length: number
}

/** Returns the position of a property or item. */
export const inside = (within: Location | null, key: string | number): Location => ({
  within,
  key,
  length: (within?.length ?? 0) + 1 + String(key).length,
})

/** A keyword of a schema that a value violates. The message is created when it is needed. */
export interface SchemaViolation {
  readonly at: Location | null
  readonly message: () => string
  /** Whether the violated schema is `false`, which has no useful message. */
  readonly isSilent?: true
}

/**
 * Returns the more specific of two violations: the deeper one, or the second one at the same depth.
 */
export function moreSpecific(
  first: SchemaViolation | null,
  second: SchemaViolation | null,
): SchemaViolation | null {
  if (first === null || second === null) return first ?? second
  if (first.isSilent !== second.isSilent) return first.isSilent === true ? second : first
  return (second.at?.length ?? 0) >= (first.at?.length ?? 0) ? second : first
}

/** Returns the JSON pointer of a position. */
export function pointerOf(at: Location | null): string {
  const keys: string[] = []
  for (let place = at; place !== null; place = place.within)
    keys.push(String(place.key).replaceAll("~", "~0").replaceAll("/", "~1"))
  return keys
    .reverse()
    .map((key) => `/${key}`)
    .join("")
}

/** Returns a part of the schema for a message, at most 300 characters. */
export function abbreviated(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
