/**
 * The error for a JSONata result that JSON cannot represent, such as a function or the number
 * Infinity.
 */
export class NotPlain extends Error {
  override readonly name = "NotPlain"
}

/**
 * Returns a deep copy of a JSONata result as plain JSON values. Removes the flags and methods that
 * JSONata adds to lists. Every key, including `__proto__`, becomes an own property. Calls `onNode`
 * once for each nested value.
 *
 * @throws NotPlain if JSON cannot represent a value
 */
export function plainValue(value: unknown, onNode?: () => void): unknown {
  onNode?.()
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NotPlain(`the number ${value}`)
    return value
  }
  if (typeof value !== "object" || isFunctionObject(value)) throw new NotPlain("a function")
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const entry of value as readonly unknown[])
      list.push(entry === undefined ? null : plainValue(entry, onNode))
    return list
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const entry = (value as Readonly<Record<string, unknown>>)[key]
    if (entry === undefined) continue
    const inner = plainValue(entry, onNode)
    if (key === "__proto__")
      Object.defineProperty(copy, key, {
        value: inner,
        configurable: true,
        enumerable: true,
        writable: true,
      })
    else copy[key] = inner
  }
  return copy
}

/**
 * Returns whether a value is one of the objects with which JSONata represents functions. Such an
 * object is not a plain value.
 */
const isFunctionObject = (value: object): boolean =>
  ("_jsonata_function" in value &&
    typeof (value as { implementation?: unknown }).implementation === "function") ||
  ("_jsonata_lambda" in value && "environment" in value)
