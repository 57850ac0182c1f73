import type { SessionState } from "../../machines/data/session-state.js"
import { isHiddenKey, toObject } from "../../machines/data/session-state.js"
import { isSecretName } from "../is-secret-name.js"

/** What of a run leaves it for a viewer. */
export interface ShownOptions {
  /** Texts are cut to so many characters; 2,000 unless given. */
  readonly maxText?: number
  /** Of lists and objects so many entries are shown; 200 unless given. */
  readonly maxEntries?: number
  /** Of one context, event or output so many values are shown; 5,000 unless given. */
  readonly maxValues?: number
  /** Whether the value of a key is left out; by default of keys that sound like a secret: `password`, `apiKey`, `authorization`. */
  readonly hides?: (key: string) => boolean
}

/** How deep values and charts are shown: an agent within an agent is two levels. */
export const maxDepth = 200

/** What stands in the place of a value that is left out. */
const hidden = "(hidden)"
const left = "(left out: too large)"

/**
 * A copy as plain JSON, cut to what a person looks at. Shown again it stays the same. It costs no more than `maxValues` allows, however
 * large the value is, so a long conversation does not make every step of it slower.
 */
export function showing({
  maxText = 2_000,
  maxEntries = 200,
  maxValues = 5_000,
  hides = isSecretName,
}: ShownOptions = {}): (value: unknown) => unknown {
  return (whole) => {
    let values = maxValues
    const show = (value: unknown, depth: number): unknown => {
      if (values-- <= 0 || depth > maxDepth) return left
      if (typeof value === "string") return shortened(value, maxText)
      if (typeof value === "bigint") return String(value)
      if (typeof value !== "object" || value === null) return value
      if (Array.isArray(value)) return shownList(value, (entry) => show(entry, depth + 1))
      if (isSessionState(value)) return show(toObject(value), depth)
      if (value instanceof Error)
        return { name: value.name, message: shortened(value.message, maxText) }
      // Actors are shown as machines of their own.
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
        if (some.length === maxEntries || values <= 0) return [...some, left]
        some.push(shown(entry) ?? null)
      }
      return some
    }
    const shownObject = (object: object, depth: number): object => {
      const entries: (readonly [string, unknown])[] = []
      for (const key in object) {
        if (!Object.hasOwn(object, key) || isHiddenKey(key)) continue
        if (entries.length === maxEntries || values <= 0) {
          entries.push(["...", left])
          break
        }
        const value: unknown = (object as Readonly<Record<string, unknown>>)[key]
        if (value === undefined || typeof value === "function" || typeof value === "symbol")
          continue
        entries.push([key, hides(key) && value !== null ? hidden : show(value, depth + 1)])
      }
      // fromEntries defines properties, so a key such as `__proto__` stays data.
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
