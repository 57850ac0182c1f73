import { thrownMessage } from "../../errors.js"
import { maxDataDepth, isDeeperThan } from "./nesting.js"

export type PlainJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string }

/**
 * Returns a copy of a value as JSON data. Converts dates, undefined fields and similar values like
 * `JSON.stringify`. Returns `ok: false` and the reason if JSON cannot represent the value, or if
 * the value is nested too deeply.
 */
export function plainJson(value: unknown): PlainJson {
  try {
    const copy = copyOf(value, maxDataDepth)
    if (copy !== undefined) return { ok: true, value: copy }
    if (isDeeperThan(maxDataDepth, value)) return tooDeep
    const text = JSON.stringify(value)
    if (text === undefined && value !== undefined)
      return { ok: false, why: `a value of type ${typeof value} is not JSON` }
    const parsed: unknown = text === undefined ? null : JSON.parse(text)
    return isDeeperThan(maxDataDepth, parsed) ? tooDeep : { ok: true, value: parsed }
  } catch (cause) {
    return { ok: false, why: thrownMessage(cause) }
  }
}

const tooDeep: PlainJson = {
  ok: false,
  why: `it is nested deeper than ${maxDataDepth} levels, or contains itself`,
}

/**
 * Returns a copy of a value if it is plain JSON data with at most `levels` nested levels. Returns
 * undefined for any other value, such as a date or `-0`.
 */
function copyOf(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined
    case "object":
      if (value === null) return null
      if (levels === 0) return undefined
      return Array.isArray(value) ? copyOfList(value, levels - 1) : copyOfObject(value, levels - 1)
    default:
      return undefined
  }
}

function copyOfList(list: readonly unknown[], levels: number): readonly unknown[] | undefined {
  const copy: unknown[] = []
  for (let index = 0; index < list.length; index++) {
    const element = copyOf(list[index], levels)
    if (element === undefined) return undefined
    copy.push(element)
  }
  return copy
}

function copyOfObject(value: object, levels: number): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const field = copyOf((value as Readonly<Record<string, unknown>>)[key], levels)
    if (field === undefined) return undefined
    if (key === "__proto__")
      Object.defineProperty(copy, key, {
        value: field,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else copy[key] = field
  }
  return copy
}
