/** Secret values and fields that are replaced with `***` in recorded runs. */
export interface Redaction {
  /** Secret texts. They are replaced wherever they occur. */
  readonly redact?: readonly string[]
  /**
   * Names of fields whose values are replaced. For example, `card.number` is the field `number`
   * inside the field `card`.
   */
  readonly redactKeys?: readonly string[]
}

/** Replaces secret values in JSON data with `***`. Never replaces object keys. */
export interface Redactor {
  /**
   * Returns a copy of the data in which the values of all fields in `redactKeys` are replaced.
   * Remembers the replaced texts, which `texts` then replaces too.
   */
  fields<Data>(data: Data): Data
  /**
   * Returns a copy of the value in which all secret texts are replaced. These are the texts in
   * `redact`, and the field values that earlier calls of `fields` have replaced. Field values with
   * fewer than four characters are not replaced.
   */
  texts<Value>(value: Value): Value
}

const mark = "***"

/**
 * Minimum length in characters of a secret field value that `texts` also replaces outside its
 * field. Shorter texts would match other texts by chance.
 */
const shortestRemembered = 4

export function createRedactor({ redact = [], redactKeys = [] }: Redaction): Redactor {
  const hiddenPaths = redactKeys.map((key) => key.split("."))
  const hiddenTexts = new Set(redact.filter((text) => text !== ""))
  const hideFields = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => hideFields(item, path))
    if (typeof value !== "object" || value === null) return value
    return mapped(value, (inner, key) => {
      const innerPath = [...path, key]
      if (!hiddenPaths.some((hidden) => endsWith(innerPath, hidden)))
        return hideFields(inner, innerPath)
      for (const text of textsIn(inner)) hiddenTexts.add(text)
      return mark
    })
  }
  const hideTexts = (value: unknown, texts: readonly string[]): unknown => {
    if (typeof value === "string")
      return texts.reduce((text, hidden) => text.replaceAll(hidden, mark), value)
    if (Array.isArray(value)) return value.map((item: unknown) => hideTexts(item, texts))
    if (typeof value !== "object" || value === null) return value
    // Do not replace the role of a content, because readers of eval sets depend on it.
    const isContent = "parts" in value
    return mapped(value, (inner, key) =>
      isContent && key === "role" ? inner : hideTexts(inner, texts),
    )
  }
  return {
    // The assertions are safe, because only texts and the values of fields are replaced.
    fields: <Data>(data: Data) => hideFields(data, []) as Data,
    texts: <Value>(value: Value) =>
      hideTexts(
        value,
        [...hiddenTexts].sort((one, other) => other.length - one.length),
      ) as Value,
  }
}

const mapped = (
  object: object,
  change: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]: [string, unknown]) => [key, change(value, key)]),
  )

const endsWith = (path: readonly string[], end: readonly string[]): boolean =>
  path.length >= end.length &&
  end.every((key, index) => path[path.length - end.length + index] === key)

/**
 * Yields the texts in a secret field value that are long enough to be replaced outside this field
 * too.
 */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string" && [...value].length >= shortestRemembered) yield value
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
