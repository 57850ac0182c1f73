import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import type { Place } from "../reading/place.js"
import { isMissing, itemsOf } from "../reading/place.js"
import type { CriterionPlace } from "./criterion.js"

type Reading = Pick<CriterionPlace, "read" | "mistakes">

/** The JSON Schema of the values that `readTexts` accepts: lists of texts. */
export const texts: SchemaObject = { type: "array", items: { type: "string" } }

/** Reads a list of texts with their locations. Returns an empty list if the list is missing. */
export function readTexts(place: Place, { read }: Reading): readonly LocatedText[] {
  const list = read.list(place)
  return (list === null ? [] : itemsOf(list)).flatMap((item) => {
    const text = read.requiredText(item)
    return text === null ? [] : [{ text, pointer: item.pointer }]
  })
}

/** A text from a file, with its location in this file. */
export interface LocatedText {
  readonly text: string
  readonly pointer: string
}

/** The JSON Schema of the values that `readAmount` accepts: numbers that are 0 or greater. */
export const amount: SchemaObject = { type: "number", minimum: 0 }

/** Reads a number that is 0 or greater. Returns null if it is missing or invalid. */
export const readAmount = (place: Place, reading: Reading): number | null =>
  readNumber(place, reading, "a number, 0 or greater", (value) => value >= 0)

/**
 * The JSON Schema of the values that `readWholeNumber` accepts: whole numbers that are 0 or
 * greater.
 */
export const wholeNumber: SchemaObject = { type: "integer", minimum: 0 }

/** Reads a whole number that is 0 or greater. Returns null if it is missing or invalid. */
export const readWholeNumber = (place: Place, reading: Reading): number | null =>
  readNumber(
    place,
    reading,
    "a whole number, 0 or greater",
    (value) => Number.isInteger(value) && value >= 0,
  )

export function readNumber(
  place: Place,
  { mistakes }: Reading,
  what: string,
  isValid: (value: number) => boolean,
): number | null {
  const { value, pointer } = place
  if (isMissing(place)) return null
  if (typeof value === "number" && isValid(value)) return value
  mistakes.add("criterion_invalid", pointer, `must be ${what}`, `Write ${what}.`)
  return null
}

export function readFlag(place: Place, { mistakes }: Reading): boolean {
  const { value, pointer } = place
  if (typeof value !== "boolean" && !isMissing(place))
    mistakes.add("criterion_invalid", pointer, "must be true or false", "Write true or false.")
  return value === true
}
