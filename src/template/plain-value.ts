/** A value of JSONata that is no JSON: a function, or a number such as infinity. */
export class NotPlain extends Error {
  override readonly name = "NotPlain"
}

/**
 * A copy in plain JSON values that shares nothing with its source: JSONata marks its lists with flags and methods of its own.
 * Every key, `__proto__` included, becomes an own property.
 */
export function plainValue(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NotPlain(`the number ${value}`)
    return value
  }
  if (typeof value !== "object" || isFunctionObject(value)) throw new NotPlain("a function")
  if (Array.isArray(value))
    return Array.from(value, (entry: unknown) => (entry === undefined ? null : plainValue(entry)))
  // fromEntries defines properties, it does not assign them: no key reaches a prototype.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
      entry === undefined ? [] : [[key, plainValue(entry)]],
    ),
  )
}

/** JSONata's own functions and lambdas are objects that carry code. */
const isFunctionObject = (value: object): boolean =>
  ("_jsonata_function" in value &&
    typeof (value as { implementation?: unknown }).implementation === "function") ||
  ("_jsonata_lambda" in value && "environment" in value)
