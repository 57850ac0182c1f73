import type { SessionState } from "../../machines/data/session-state.js"
import { isHiddenKey, toObject } from "../../machines/data/session-state.js"
import { isSecretName } from "../is-secret-name.js"

/** Options that shorten and hide values of a run before an inspector receives them. */
export interface InspectedValueOptions {
  /** Maximum length of a string, in characters. Longer strings are cut. Default: 2,000. */
  readonly maxText?: number
  /**
   * Maximum number of entries of a list or an object. Further entries are omitted. Default: 200.
   */
  readonly maxEntries?: number
  /**
   * Maximum number of values in a context, an event or an output, including nested values. Further
   * values are omitted. Default: 5,000.
   */
  readonly maxValues?: number
  /**
   * Returns whether the value of an object key is hidden. Default: hides the values of keys whose
   * names suggest a secret, such as `password`, `apiKey` or `authorization`.
   */
  readonly hides?: (key: string) => boolean
}

/**
 * Maximum nesting depth of values and charts that are sent to inspectors. Each nested agent adds
 * two levels.
 */
export const maxDepth = 200

/** Text that replaces a hidden value, for example a password. */
const hidden = "(hidden)"
const omittedValue = "(left out: too large)"

/**
 * Returns a function that copies a value as plain JSON for an inspector, shortens the copy and
 * hides secrets in it. A value that has already been shortened is not changed. `maxValues` limits
 * the number of copied values, so that inspecting a long conversation does not slow down the run.
 */
export function copyForInspector({
  maxText = 2_000,
  maxEntries = 200,
  maxValues = 5_000,
  hides = isSecretName,
}: InspectedValueOptions = {}): (value: unknown) => unknown {
  return (whole) => {
    let values = maxValues
    const show = (value: unknown, depth: number): unknown => {
      if (values-- <= 0 || depth > maxDepth) return omittedValue
      if (typeof value === "string") return shortened(value, maxText)
      if (typeof value === "bigint") return String(value)
      if (typeof value !== "object" || value === null) return value
      if (Array.isArray(value)) return shownList(value, (entry) => show(entry, depth + 1))
      if (isSessionState(value)) return show(toObject(value), depth)
      if (value instanceof Error)
        return { name: value.name, message: shortened(value.message, maxText) }
      // An actor is replaced by its id, because it is shown as a separate machine.
      if ("sessionId" in value && "getSnapshot" in value)
        return `(actor ${String(value.sessionId)})`
      return shownObject(value, depth)
    }
    const shownList = (
      list: readonly unknown[],
      shown: (entry: unknown) => unknown,
    ): readonly unknown[] => {
      const some: unknown[] = []
      for (const entry of list) {
        if (some.length === maxEntries || values <= 0) return [...some, omittedValue]
        some.push(shown(entry) ?? null)
      }
      return some
    }
    const shownObject = (object: object, depth: number): object => {
      const entries: (readonly [string, unknown])[] = []
      for (const key in object) {
        if (!Object.hasOwn(object, key) || isHiddenKey(key)) continue
        if (entries.length === maxEntries || values <= 0) {
          entries.push(["...", omittedValue])
          break
        }
        const value: unknown = (object as Readonly<Record<string, unknown>>)[key]
        if (value === undefined || typeof value === "function" || typeof value === "symbol")
          continue
        entries.push([key, hides(key) && value !== null ? hidden : show(value, depth + 1)])
      }
      // `fromEntries` defines properties, so a key such as `__proto__` is treated as data.
      return Object.fromEntries(entries)
    }
    return show(whole, 0)
  }
}

function shortened(text: string, maxText: number): string {
  if (text.length <= maxText) return text
  const note = `... (${text.length} characters)`
  return text.slice(0, Math.max(0, maxText - note.length)) + note
}

const isSessionState = (value: object): value is SessionState =>
  "base" in value &&
  "chunks" in value &&
  Array.isArray(value.chunks) &&
  Object.keys(value).length === 2
