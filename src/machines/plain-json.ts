import { wordsOf } from "../errors.js"

export type PlainJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

/**
 * What a service in this process gave, as JSON keeps it: a run goes on with what it would find in its journal. A value that is plain JSON
 * is taken as it is; dates, fields that are undefined and the like become what they are in JSON.
 */
export function plainJson(value: unknown): PlainJson {
  try {
    if (isPlain(value)) return { ok: true, value }
    const text = JSON.stringify(value)
    if (text === undefined && value !== undefined) return { ok: false, why: `a ${typeof value} is no JSON` }
    return { ok: true, value: text === undefined ? null : (JSON.parse(text) as unknown) }
  } catch (cause) {
    return { ok: false, why: wordsOf(cause) }
  }
}

function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
    case "object":
      return value === null || (Array.isArray(value) ? isPlainList(value) : isPlainObject(value))
    default:
      return false
  }
}

function isPlainList(list: readonly unknown[]): boolean {
  for (let index = 0; index < list.length; index++) if (!isPlain(list[index])) return false
  return true
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key of Object.keys(value)) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}
