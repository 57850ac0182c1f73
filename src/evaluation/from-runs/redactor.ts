/** The values and fields to replace by `***` in recorded runs. */
export interface Redaction {
  /** Values that are replaced in every text. */
  readonly redact?: readonly string[]
  /** Names of fields whose values are replaced. `b.c` is the field `c` inside the field `b`. */
  readonly redactKeys?: readonly string[]
}

/** A redactor, which replaces secret values in JSON by `***`. Keys are not replaced. */
export interface Redactor {
  /** Returns a copy of the data in which the values of all fields of `redactKeys` are replaced. */
  fields<Data>(data: Data): Data
  /**
   * Returns a copy of a value in which all secret texts are replaced: the values of `redact`, and
   * the texts of at least four characters that calls of `fields` have replaced so far.
   */
  texts<Value>(value: Value): Value
}

const mark = "***"

/**
 * Minimum length of a field's text that, once replaced, is also replaced everywhere else. Shorter
 * texts would match other texts by chance.
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
    // Readers of eval sets depend on the role of a content.
    const isContent = "parts" in value
    return mapped(value, (inner, key) =>
      isContent && key === "role" ? inner : hideTexts(inner, texts),
    )
  }
  return {
    // The casts are safe: only texts and the values of fields are replaced.
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

/** Yields the texts of a replaced value that are long enough to be replaced everywhere. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string" && [...value].length >= shortestRemembered) yield value
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
