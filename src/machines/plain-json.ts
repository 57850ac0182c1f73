import { wordsOf } from "../errors.js"

export type PlainJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

/**
 * What a service in this process gave, as JSON keeps it: a run goes on with what it would find in its journal, and with a copy, so that it
 * is nobody else's. Dates, fields that are undefined and the like become what they are in JSON.
 */
export function plainJson(value: unknown): PlainJson {
  try {
    const copy = copyOf(value)
    if (copy !== undefined) return { ok: true, value: copy }
    const text = JSON.stringify(value)
    if (text === undefined && value !== undefined) return { ok: false, why: `a ${typeof value} is no JSON` }
    return { ok: true, value: text === undefined ? null : (JSON.parse(text) as unknown) }
  } catch (cause) {
    return { ok: false, why: wordsOf(cause) }
  }
}

/** A copy of what is plain JSON; undefined for anything else. */
function copyOf(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined
    case "object":
      return value === null ? null : Array.isArray(value) ? copyOfList(value) : copyOfObject(value)
    default:
      return undefined
  }
}

function copyOfList(list: readonly unknown[]): readonly unknown[] | undefined {
  const copy: unknown[] = []
  for (let index = 0; index < list.length; index++) {
    const element = copyOf(list[index])
    if (element === undefined) return undefined
    copy.push(element)
  }
  return copy
}

function copyOfObject(value: object): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const field = copyOf((value as Readonly<Record<string, unknown>>)[key])
    if (field === undefined) return undefined
    if (key === "__proto__") Object.defineProperty(copy, key, { value: field, enumerable: true, configurable: true, writable: true })
    else copy[key] = field
  }
  return copy
}
