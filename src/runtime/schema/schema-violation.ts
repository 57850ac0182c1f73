/** Where a value is inside of the value that is validated; null for that one itself. */
export interface Location {
  readonly within: Location | null
  readonly key: string | number
  /** Characters of the whole pointer. */
  readonly length: number
}

export const inside = (within: Location | null, key: string | number): Location => ({
  within,
  key,
  length: (within?.length ?? 0) + 1 + String(key).length,
})

/** Why a value does not follow a schema. */
export interface SchemaViolation {
  readonly at: Location | null
  readonly message: () => string
  /** The schema `false` says nothing about what is wrong. */
  readonly isSilent?: true
}

/**
 * The one of two failures that says more: the one that is deeper inside of the value, the later one
 * of equals.
 */
export function telling(
  first: SchemaViolation | null,
  second: SchemaViolation | null,
): SchemaViolation | null {
  if (first === null || second === null) return first ?? second
  if (first.isSilent !== second.isSilent) return first.isSilent === true ? second : first
  return (second.at?.length ?? 0) >= (first.at?.length ?? 0) ? second : first
}

export function pointerOf(at: Location | null): string {
  const keys: string[] = []
  for (let place = at; place !== null; place = place.within)
    keys.push(String(place.key).replaceAll("~", "~0").replaceAll("/", "~1"))
  return keys
    .reverse()
    .map((key) => `/${key}`)
    .join("")
}

/** A part of the schema in a message. */
export function abbreviated(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
