import type { TemplateMeter } from "../limits/template-meter.js"

/**
 * Returns the entries of a list without duplicates. Compares objects by a canonical text. JSONata's
 * own implementation compares every pair of entries, which takes a minute for 10,000 objects.
 */
export async function distinct(
  list: readonly unknown[],
  meter: TemplateMeter,
): Promise<readonly unknown[]> {
  if (list.length <= 1) return list
  const values = new Set<unknown>()
  const texts = new Set<string>()
  const functions = new Map<object, number>()
  const isNew = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) {
      const size = values.size
      return values.add(value).size > size
    }
    const size = texts.size
    return texts.add(textOf(value, functions)).size > size
  }
  const found: unknown[] = []
  for (const value of list) {
    meter.spend(1 / 4)
    meter.walk(value, 8)
    const rest = meter.pauseIfDue()
    if (rest !== undefined) await rest
    if (isNew(value)) found.push(value)
  }
  return "sequence" in list ? Object.assign(found, { sequence: true }) : found
}

function textOf(value: unknown, functions: Map<object, number>): string {
  if (typeof value === "function" || (typeof value === "object" && isFunction(value))) {
    const number = functions.get(value) ?? functions.size
    functions.set(value, number)
    return `function:${number}`
  }
  if (typeof value !== "object" || value === null) return `${typeof value}:${JSON.stringify(value)}`
  if (Array.isArray(value)) return `[${value.map((entry) => textOf(entry, functions)).join()}]`
  const entries = Object.entries(value)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${textOf(entry, functions)}`).join()}}`
}

/** Returns whether a value is one of the objects with which JSONata represents functions. */
const isFunction = (value: object | null): value is object =>
  value !== null && ("_jsonata_lambda" in value || "_jsonata_function" in value)
