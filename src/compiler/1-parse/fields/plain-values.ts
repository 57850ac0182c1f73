import type { ParserLocation } from "../context/parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import type { Reader } from "./field-table.js"

export const refuseType = (
  value: unknown,
  location: ParserLocation,
  expected: string,
  example: string,
): null =>
  report(location, {
    code: "wrong_type",
    problem: `must be ${expected}, not ${describeValue(value)}`,
    fix: `Write ${example}.`,
  })

export const text: Reader<string> = (value, location) =>
  typeof value === "string"
    ? value
    : refuseType(value, location, "a string", "a string in double quotes")

export const filledText: Reader<string> = (value, location) =>
  value === ""
    ? report(location, {
        code: "bad_value",
        problem: "is an empty string",
        fix: "Write a text that is not empty, or remove the field.",
      })
    : text(value, location)

export const flag: Reader<boolean> = (value, location) =>
  typeof value === "boolean"
    ? value
    : (wordAsFlag(value, location) ??
      refuseType(value, location, "true or false", "true or false, without quotes"))

/**
 * Returns the boolean value of a word such as `yes` or `off` in a YAML file, and reports a warning.
 * Returns null for other values. YAML 1.1, which ADK's loader uses, parses these words as booleans,
 * but YAML 1.2 parses them as strings.
 */
function wordAsFlag(value: unknown, location: ParserLocation): boolean | null {
  const word =
    location.document.format === "yaml" && typeof value === "string"
      ? /^(?:(yes|on)|no|off)$/i.exec(value)
      : null
  if (word === null) return null
  const meaning = word[1] !== undefined
  report(location, {
    code: "yaml_boolean",
    severity: "warning",
    problem: `is the word ${describeValue(value)}, which is read as ${meaning}`,
    fix: `Write ${meaning}.`,
  })
  return meaning
}

/** Parses a whole number, 1 or greater. */
export const count: Reader<number> = (value, location) => {
  if (typeof value !== "number")
    return refuseType(
      value,
      location,
      "a whole number",
      "a whole number, 1 or greater, without quotes",
    )
  return Number.isSafeInteger(value) && value >= 1
    ? value
    : report(location, {
        code: "bad_value",
        problem: `must be a whole number, 1 or greater, not ${value}`,
        fix: "Write a whole number such as 1 or 10.",
      })
}

export const numberFrom =
  (least: number): Reader<number> =>
  (value, location) => {
    if (typeof value !== "number")
      return refuseType(value, location, "a number", "a number, without quotes")
    return Number.isFinite(value) && value >= least
      ? value
      : report(location, {
          code: "bad_value",
          problem: `must be a finite number, ${least} or greater, not ${value}`,
          fix: `Write a number, ${least} or greater.`,
        })
  }

export const oneOf =
  <const Choice extends string>(choices: readonly Choice[]): Reader<Choice> =>
  (value, location) => {
    const choice = choices.find((candidate) => candidate === value)
    if (choice !== undefined) return choice
    const suggestion = typeof value === "string" ? location.parser.suggest(value, choices) : null
    return report(location, {
      code: "bad_value",
      problem: `must be ${oneOfThese(choices.map((candidate) => `"${candidate}"`))}, not ${describeValue(value)}`,
      fix: `${didYouMean(suggestion)}Write one of these values, or remove the field to use the default, "${choices[0]}".`,
    })
  }

export const list: Reader<readonly unknown[]> = (value, location) =>
  Array.isArray(value) ? value : refuseType(value, location, "a list", "a list in [ ]")

/** Returns the value if it is an object. Returns null for lists, null and all other values. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  isJsonObject(value) ? value : null
