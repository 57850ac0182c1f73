/** Deeper answers are no data that anybody meant, and would overflow the stack of whoever walks them. */
const deepest = 500

/** JSON as plain data: `JSON.parse` makes `__proto__` an own property. */
export type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string }

export function readJson(text: string): ReadJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: text.trim() === "" ? "an empty body" : "something that is no JSON" }
  }
  return isDeeper(value, deepest) ? { ok: false, reason: `JSON that is nested deeper than ${deepest} levels` } : { ok: true, value }
}

/** Level by level, without recursion. */
function isDeeper(value: unknown, limit: number): boolean {
  let level: object[] = typeof value === "object" && value !== null ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: object[] = []
    for (const node of level) for (const child of Object.values(node) as unknown[]) if (typeof child === "object" && child !== null) next.push(child)
    level = next
  }
  return false
}
