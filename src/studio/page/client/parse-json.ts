/**
 * The result of parsing JSON that a user typed. It contains the value or an error message. An empty
 * input has the value null.
 */
export type TypedJson<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

/**
 * Parses JSON that a user typed. `name` is the beginning of an error message, for example
 * `The result`.
 */
export function parseJson(text: string, name: string): TypedJson<unknown> {
  if (text.trim() === "") return { ok: true, value: null }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    return {
      ok: false,
      message: `${name} must be valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

/**
 * Parses JSON that a user typed and checks that it is an object. `name` is the beginning of an
 * error message, for example `The state`.
 */
export function parseJsonObject(
  text: string,
  name: string,
): TypedJson<Readonly<Record<string, unknown>> | null> {
  const parsed = parseJson(text, name)
  if (!parsed.ok || parsed.value === null) return parsed.ok ? { ok: true, value: null } : parsed
  return isJsonObject(parsed.value)
    ? { ok: true, value: parsed.value }
    : { ok: false, message: `${name} must be a JSON object, such as {"city": "Tokyo"}` }
}

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
