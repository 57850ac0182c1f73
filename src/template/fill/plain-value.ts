/** A value of JSONata that is no JSON: a function, or a number such as infinity. */
export class NotPlain extends Error {
  override readonly name = "NotPlain"
}

/**
 * A copy in plain JSON values that shares nothing with its source: JSONata marks its lists with flags and methods of its own.
 * Every key, `__proto__` included, becomes an own property.
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

/** JSONata's own functions and lambdas are objects that carry code. */
const isFunctionObject = (value: object): boolean =>
  ("_jsonata_function" in value &&
    typeof (value as { implementation?: unknown }).implementation === "function") ||
  ("_jsonata_lambda" in value && "environment" in value)
