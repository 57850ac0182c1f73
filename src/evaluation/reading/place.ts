import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { pointerToken } from "../../machines/data/json-pointer.js"
import type { EvaluationMistakeCode, MistakeList } from "./problem.js"

/**
 * A value in a JSON file, with its location. If `value` is undefined, the file does not contain the
 * value.
 */
export interface Place {
  readonly value: unknown
  /** JSON pointer to the value in the file. */
  readonly pointer: string
}

/** A JSON object in a file, with its location. */
export interface ObjectPlace extends Place {
  readonly value: JsonObject
}

/** A list in a JSON file, with its location. */
export interface ListPlace extends Place {
  readonly value: readonly unknown[]
}

/**
 * Returns a field of an object with its location. The field name in the file may be in snake_case
 * or camelCase. A field with the value null counts as missing.
 */
export function fieldOf({ value, pointer }: ObjectPlace, name: string): Place {
  const spelling = [name, camelCase(name)].find((key) => Object.hasOwn(value, key))
  const found = spelling === undefined ? undefined : value[spelling]
  return { value: found ?? undefined, pointer: `${pointer}/${pointerToken(spelling ?? name)}` }
}

/** Returns the items of a list with their locations. */
export const itemsOf = ({ value, pointer }: ListPlace): readonly Place[] =>
  value.map((item, index) => ({ value: item, pointer: `${pointer}/${index}` }))

/**
 * Returns the keys and values of an object, with the location of each value. The keys are not
 * converted to another case.
 */
export const entriesOf = ({ value, pointer }: ObjectPlace): readonly (readonly [string, Place])[] =>
  Object.entries(value).map(
    ([key, item]) =>
      [key, { value: item ?? undefined, pointer: `${pointer}/${pointerToken(key)}` }] as const,
  )

export const isMissing = ({ value }: Place): boolean => value === undefined || value === null

export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Reads values that must have a certain type. Values of another type are reported as mistakes. */
export interface TypedReader {
  /**
   * Returns the text, or null if the value is missing or has the wrong type. A wrong type is
   * reported.
   */
  text(place: Place): string | null
  object(place: Place): ObjectPlace | null
  list(place: Place): ListPlace | null
  /** Like `text`, but a missing value is also reported as a mistake. */
  requiredText(place: Place): string | null
  requiredObject(place: Place): ObjectPlace | null
  requiredList(place: Place): ListPlace | null
}

export function typedReader(mistakes: MistakeList, code: EvaluationMistakeCode): TypedReader {
  const wrong = (place: Place, what: string): null => {
    mistakes.add(
      code,
      place.pointer,
      `must be ${what}, but is ${typeOf(place.value)}`,
      `Write ${what}.`,
    )
    return null
  }
  const text = (place: Place): string | null =>
    typeof place.value === "string" ? place.value : wrong(place, "a text")
  const object = (place: Place): ObjectPlace | null => {
    const { value, pointer } = place
    return isJsonObject(value) ? { value, pointer } : wrong(place, "an object")
  }
  const list = (place: Place): ListPlace | null => {
    const { value, pointer } = place
    return Array.isArray(value) ? { value, pointer } : wrong(place, "a list")
  }
  const optional =
    <Read>(read: (place: Place) => Read | null) =>
    (place: Place): Read | null =>
      isMissing(place) ? null : read(place)
  const required =
    <Read>(read: (place: Place) => Read | null) =>
    (place: Place): Read | null => {
      if (!isMissing(place)) return read(place)
      const name = place.pointer.slice(place.pointer.lastIndexOf("/") + 1)
      mistakes.add(code, place.pointer, `${name} is missing`, `Add the field ${name}.`)
      return null
    }
  return {
    text: optional(text),
    object: optional(object),
    list: optional(list),
    requiredText: required(text),
    requiredObject: required(object),
    requiredList: required(list),
  }
}

/** Returns the name of a JSON value's type, for messages. */
function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "missing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "string") return "a text"
  if (typeof value === "object") return "an object"
  return typeof value === "boolean" ? "true or false" : "a number"
}
