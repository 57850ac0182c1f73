import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { pointerToken } from "../../machines/data/json-pointer.js"
import type { EvaluationMistakeCode, MistakeList } from "./problem.js"

/**
 * A value in a JSON file with its location. `value` is undefined if the file does not contain the
 * value.
 */
export interface LocatedValue {
  readonly value: unknown
  /** JSON pointer to the value, for example `/eval_cases/0/eval_id`. */
  readonly pointer: string
}

/** A JSON object in a file, with its location. */
export interface LocatedObject extends LocatedValue {
  readonly value: JsonObject
}

/** An array in a JSON file, with its location. */
export interface LocatedList extends LocatedValue {
  readonly value: readonly unknown[]
}

/**
 * Returns the value of an object's field with its location. The name of the field in the file can
 * be in snake_case or camelCase. A field with the value null counts as missing.
 */
export function fieldOf({ value, pointer }: LocatedObject, name: string): LocatedValue {
  const spelling = [name, camelCase(name)].find((key) => Object.hasOwn(value, key))
  const found = spelling === undefined ? undefined : value[spelling]
  return { value: found ?? undefined, pointer: `${pointer}/${pointerToken(spelling ?? name)}` }
}

/** Returns the items of an array in a JSON file, with their locations. */
export const itemsOf = ({ value, pointer }: LocatedList): readonly LocatedValue[] =>
  value.map((item, index) => ({ value: item, pointer: `${pointer}/${index}` }))

/**
 * Returns the entries of an object in a JSON file, with the location of each value. Does not change
 * the case of the keys.
 */
export const entriesOf = ({
  value,
  pointer,
}: LocatedObject): readonly (readonly [string, LocatedValue])[] =>
  Object.entries(value).map(
    ([key, item]) =>
      [key, { value: item ?? undefined, pointer: `${pointer}/${pointerToken(key)}` }] as const,
  )

export const isMissing = ({ value }: LocatedValue): boolean => value === undefined || value === null

export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Reads values of a certain type from a JSON file. Reports values of another type as mistakes. */
export interface TypedReader {
  /**
   * Returns the string, or null if the value is missing or is not a string. Reports a value that is
   * not a string.
   */
  text(located: LocatedValue): string | null
  object(located: LocatedValue): LocatedObject | null
  list(located: LocatedValue): LocatedList | null
  /**
   * Returns the string, or null if the value is missing or is not a string. Reports both mistakes.
   */
  requiredText(located: LocatedValue): string | null
  requiredObject(located: LocatedValue): LocatedObject | null
  requiredList(located: LocatedValue): LocatedList | null
}

export function typedReader(mistakes: MistakeList, code: EvaluationMistakeCode): TypedReader {
  const wrong = (located: LocatedValue, what: string): null => {
    mistakes.add(
      code,
      located.pointer,
      `must be ${what}, but is ${typeOf(located.value)}`,
      `Write ${what}.`,
    )
    return null
  }
  const text = (located: LocatedValue): string | null =>
    typeof located.value === "string" ? located.value : wrong(located, "a text")
  const object = (located: LocatedValue): LocatedObject | null => {
    const { value, pointer } = located
    return isJsonObject(value) ? { value, pointer } : wrong(located, "an object")
  }
  const list = (located: LocatedValue): LocatedList | null => {
    const { value, pointer } = located
    return Array.isArray(value) ? { value, pointer } : wrong(located, "a list")
  }
  const optional =
    <Read>(read: (located: LocatedValue) => Read | null) =>
    (located: LocatedValue): Read | null =>
      isMissing(located) ? null : read(located)
  const required =
    <Read>(read: (located: LocatedValue) => Read | null) =>
    (located: LocatedValue): Read | null => {
      if (!isMissing(located)) return read(located)
      const name = located.pointer.slice(located.pointer.lastIndexOf("/") + 1)
      mistakes.add(code, located.pointer, `${name} is missing`, `Add the field ${name}.`)
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

/** Returns the name of a JSON value's type for messages, for example `a list`. */
function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "missing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "string") return "a text"
  if (typeof value === "object") return "an object"
  return typeof value === "boolean" ? "true or false" : "a number"
}
