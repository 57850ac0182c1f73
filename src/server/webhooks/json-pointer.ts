/**
 * Returns the value at a JSON Pointer (RFC 6901), such as `/order/id`. Returns undefined if the
 * JSON contains no such value.
 */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

/**
 * Returns the id at a JSON Pointer as text. Returns null if the value is neither a string nor a
 * number.
 */
export function idAt(json: unknown, pointer: string): string | null {
  const value = valueAt(json, pointer)
  return typeof value === "string" || typeof value === "number" ? String(value) : null
}
