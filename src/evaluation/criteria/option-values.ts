import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import type { LocatedValue } from "../reading/located-value.js"
import { isMissing, itemsOf } from "../reading/located-value.js"
import type { CriterionInput } from "./criterion.js"

type Reading = Pick<CriterionInput, "read" | "mistakes">

/** JSON Schema of the values that `readTexts` accepts, which are arrays of strings. */
export const texts: SchemaObject = { type: "array", items: { type: "string" } }

/**
 * Reads an array of strings from the options of a criterion, with the location of each string.
 * Returns an empty array if the option is missing.
 */
export function readTexts(located: LocatedValue, { read }: Reading): readonly LocatedText[] {
  const list = read.list(located)
  return (list === null ? [] : itemsOf(list)).flatMap((item) => {
    const text = read.requiredText(item)
    return text === null ? [] : [{ text, pointer: item.pointer }]
  })
}

/** A string from a file. `pointer` is the JSON pointer to the string in this file. */
export interface LocatedText {
  readonly text: string
  readonly pointer: string
}

/** JSON Schema of the values that `readAmount` accepts, which are numbers that are 0 or greater. */
export const amount: SchemaObject = { type: "number", minimum: 0 }

/**
 * Reads a number that is 0 or greater from the options of a criterion. Returns null if it is
 * missing or invalid.
 */
export const readAmount = (located: LocatedValue, reading: Reading): number | null =>
  readNumber(located, reading, "a number, 0 or greater", (value) => value >= 0)

/**
 * JSON Schema of the values that `readWholeNumber` accepts, which are integers that are 0 or
 * greater.
 */
export const wholeNumber: SchemaObject = { type: "integer", minimum: 0 }

/**
 * Reads an integer that is 0 or greater from the options of a criterion. Returns null if it is
 * missing or invalid.
 */
export const readWholeNumber = (located: LocatedValue, reading: Reading): number | null =>
  readNumber(
    located,
    reading,
    "a whole number, 0 or greater",
    (value) => Number.isInteger(value) && value >= 0,
  )

export function readNumber(
  located: LocatedValue,
  { mistakes }: Reading,
  what: string,
  isValid: (value: number) => boolean,
): number | null {
  const { value, pointer } = located
  if (isMissing(located)) return null
  if (typeof value === "number" && isValid(value)) return value
  mistakes.add("criterion_invalid", pointer, `must be ${what}`, `Write ${what}.`)
  return null
}

export function readFlag(located: LocatedValue, { mistakes }: Reading): boolean {
  const { value, pointer } = located
  if (typeof value !== "boolean" && !isMissing(located))
    mistakes.add("criterion_invalid", pointer, "must be true or false", "Write true or false.")
  return value === true
}
