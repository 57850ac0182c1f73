/** What somebody has typed, read as JSON. An empty field is null. */
export type ReadJson<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

export function readJson(text: string, what: string): ReadJson<unknown> {
  if (text.trim() === "") return { ok: true, value: null }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    return {
      ok: false,
      message: `${what} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

export function readObject(text: string, what: string): ReadJson<Record<string, unknown> | null> {
  const read = readJson(text, what)
  if (!read.ok) return read
  if (read.value === null) return { ok: true, value: null }
  if (typeof read.value !== "object" || Array.isArray(read.value))
    return { ok: false, message: `${what} must be a JSON object` }
  return { ok: true, value: read.value as Record<string, unknown> }
}
