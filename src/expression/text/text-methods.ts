import {
  type CallArguments,
  expectCount,
  type PassedArguments,
  sizeArgument,
} from "../collections/call-arguments.js"
import type { StepBudget } from "../limits/step-budget.js"
import {
  codePointIndex,
  codePointLength,
  codePoints,
  hasSurrogates,
  unitOffset,
} from "../characters/code-points.js"
import { raise } from "../limits/condition-failed.js"
import { collect } from "../collections/iterate.js"
import { limits } from "../limits/limits.js"
import { skipSpace, skipSpaceBack } from "../characters/python-whitespace.js"
import { splitMethods } from "./split-methods.js"
import { findLastUnit, findUnit } from "./string-search.js"
import { searchBounds } from "../collections/subscript.js"
import { capitalizeText, foldCaseText, swapCaseText, titleText } from "../characters/text-case.js"
import { justified, zeroFilled } from "./text-padding.js"
import type { TextMethod } from "./text-method.js"
import { textPredicates } from "./text-predicates.js"
import { typeName, type Value } from "../values/values.js"

/**
 * The methods of Python's `str` that conditions can call, by name. `format` is compiled separately.
 */
export const textMethods: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ["lower", converted("lower", (text) => text.toLowerCase())],
  ["upper", converted("upper", (text) => text.toUpperCase())],
  ["title", converted("title", titleText, 2)],
  ["capitalize", converted("capitalize", capitalizeText)],
  ["casefold", converted("casefold", foldCaseText, 2)],
  ["swapcase", converted("swapcase", swapCaseText, 2)],
  ...Array.from(textPredicates, ([name, holds]): [string, TextMethod] => [
    name,
    (text, args) => {
      expectCount(`str.${name}`, args, 0, 0)
      args.budget.spend(text.length / 8)
      return holds(text)
    },
  ]),
  ["ljust", justified("ljust")],
  ["rjust", justified("rjust")],
  ["zfill", zeroFilled],
  ["strip", stripped("strip", true, true)],
  ["lstrip", stripped("lstrip", true, false)],
  ["rstrip", stripped("rstrip", false, true)],
  ["startswith", affix("startswith", (text, part) => text.startsWith(part))],
  ["endswith", affix("endswith", (text, part) => text.endsWith(part))],
  ["find", (text, args) => search("find", text, args, findUnit)],
  ["rfind", (text, args) => search("rfind", text, args, findFromEnd)],
  ["index", (text, args) => foundIndex(search("index", text, args, findUnit))],
  ["rindex", (text, args) => foundIndex(search("rindex", text, args, findFromEnd))],
  ["count", count],
  ["replace", replace],
  ["join", join],
  ...splitMethods,
  ["removeprefix", (text, args) => removeAffix("removeprefix", text, args)],
  ["removesuffix", (text, args) => removeAffix("removesuffix", text, args)],
])

/**
 * Creates a string method without arguments that converts the whole text. One step is charged for
 * each `perStep` characters. Slow conversions, which look up each character, have a lower
 * `perStep`.
 */
function converted(name: string, convert: (text: string) => string, perStep = 64): TextMethod {
  return (text, args) => {
    expectCount(`str.${name}`, args, 0, 0)
    args.budget.spend(text.length / perStep)
    return convert(text)
  }
}

function stripped(name: string, left: boolean, right: boolean): TextMethod {
  return (text, args) => {
    expectCount(name, args, 0, 1)
    args.budget.read(text)
    const characters = args.positional[0] ?? null
    if (characters !== null && typeof characters !== "string")
      return raise("TypeError", `${name} arg must be None or str`)
    if (characters === null) {
      const from = left ? skipSpace(text, 0, text.length) : 0
      return text.substring(from, right ? skipSpaceBack(text, from, text.length) : text.length)
    }
    const removed = new Set(codePoints(characters))
    const points = codePoints(text)
    args.budget.spend((text.length + characters.length) / 8)
    let from = 0
    let to = points.length
    while (left && from < to && removed.has(points[from]!)) from++
    while (right && to > from && removed.has(points[to - 1]!)) to--
    return text.substring(unitOffset(text, from), unitOffset(text, to))
  }
}

/**
 * Returns the part of a text that the optional start and end arguments of a string method select.
 * Returns null if the start is after the end.
 */
function window(
  text: string,
  args: CallArguments,
): { readonly part: string; readonly start: number } | null {
  const length = codePointLength(text)
  args.budget.read(text)
  const { start, end } = searchBounds(length, args.positional[1], args.positional[2])
  if (start > end) return null
  if (start === 0 && end === length) return { part: text, start }
  return { part: text.substring(unitOffset(text, start), unitOffset(text, end)), start }
}

function affix(name: string, matches: (text: string, part: string) => boolean): TextMethod {
  return (text, args) => {
    expectCount(name, args, 1, 3)
    const substring = args.positional[0]
    const seen = args.positional.length === 1 ? { part: text } : window(text, args)
    const holds = (part: string): boolean => {
      args.budget.read(part)
      return seen !== null && matches(seen.part, part)
    }
    if (typeof substring === "string") return holds(substring)
    if (typeof substring !== "object" || substring?.kind !== "tuple") {
      return raise(
        "TypeError",
        `${name} first arg must be str or a tuple of str, not ${typeName(substring)}`,
      )
    }
    for (const part of substring.items) {
      args.budget.spend(0.25)
      if (typeof part !== "string")
        return raise("TypeError", `tuple for ${name} must only contain str, not ${typeName(part)}`)
      if (holds(part)) return true
    }
    return false
  }
}

function substringOf(args: PassedArguments): string {
  const substring = args.positional[0]
  return typeof substring === "string"
    ? substring
    : raise("TypeError", `must be str, not ${typeName(substring)}`)
}

function search(name: string, text: string, args: CallArguments, find: typeof findUnit): number {
  expectCount(name, args, 1, 3)
  const seen = window(text, args)
  const substring = substringOf(args)
  if (seen === null) return -1
  const unit = find(seen.part, substring, 0, args.budget)
  return unit < 0 ? -1 : seen.start + codePointIndex(seen.part, unit)
}

function findFromEnd(text: string, substring: string, _from: number, budget: StepBudget): number {
  return findLastUnit(text, substring, budget)
}

function foundIndex(index: number): number {
  return index >= 0 ? index : raise("ValueError", "substring not found")
}

function count(text: string, args: CallArguments): number {
  expectCount("count", args, 1, 3)
  const seen = window(text, args)
  const substring = substringOf(args)
  if (seen === null) return 0
  return substring === "" ? codePointLength(seen.part) + 1 : occurrences(seen.part, substring, args)
}

function occurrences(text: string, substring: string, args: CallArguments): number {
  let total = 0
  for (let unit = findUnit(text, substring, 0, args.budget); unit >= 0; total++) {
    unit = findUnit(text, substring, unit + substring.length, args.budget)
  }
  return total
}

function replace(text: string, args: CallArguments): string {
  expectCount("replace", args, 2, 3)
  const [old, replacement, most] = args.positional
  if (typeof old !== "string")
    return raise("TypeError", `replace() argument 1 must be str, not ${argumentType(old)}`)
  if (typeof replacement !== "string")
    return raise("TypeError", `replace() argument 2 must be str, not ${argumentType(replacement)}`)
  const limit = most === undefined ? -1 : sizeArgument(most)
  const { budget } = args
  const available = old === "" ? codePointLength(text) + 1 : occurrences(text, old, args)
  const times = limit < 0 ? available : Math.min(limit, available)
  const growth = codePointLength(replacement) - codePointLength(old)
  if (growth > 0 && times > 0) budget.plannedText(codePointLength(text) + times * growth)
  budget.spend((text.length + times * (1 + replacement.length)) / 64)
  let result = ""
  let from = 0
  if (old === "") {
    budget.spend(times / 4)
    const points = hasSurrogates(text) ? codePoints(text) : text
    for (let index = 0; index < times; index++) result += replacement + (points[index] ?? "")
    return result + text.substring(unitOffset(text, times))
  }
  for (let done = 0; done < times; done++) {
    const unit = findUnit(text, old, from, budget)
    result += text.substring(from, unit) + replacement
    from = unit + old.length
  }
  return result + text.substring(from)
}

function join(separator: string, args: CallArguments): string {
  expectCount("str.join", args, 1, 1)
  const { budget } = args
  const source = args.positional[0]
  if (!isIterable(source)) raise("TypeError", "can only join an iterable")
  let result = ""
  let first = true
  collect(source, budget).forEach((item, index) => {
    if (typeof item !== "string")
      raise("TypeError", `sequence item ${index}: expected str instance, ${typeName(item)} found`)
    result += first ? item : separator + item
    first = false
    if (result.length > 2 * limits.text) budget.plannedText(result.length)
  })
  return budget.text(result)
}

function isIterable(value: Value): boolean {
  if (typeof value === "string") return true
  return (
    typeof value === "object" && value !== null && value.kind !== "float" && value.kind !== "slice"
  )
}

function removeAffix(
  name: "removeprefix" | "removesuffix",
  text: string,
  args: CallArguments,
): string {
  expectCount(`str.${name}`, args, 1, 1)
  const part = args.positional[0]
  if (typeof part !== "string")
    return raise("TypeError", `${name}() argument must be str, not ${argumentType(part)}`)
  args.budget.read(part)
  if (name === "removeprefix") return text.startsWith(part) ? text.substring(part.length) : text
  return part !== "" && text.endsWith(part) ? text.substring(0, text.length - part.length) : text
}

/**
 * Returns the type name of an argument for error messages. In these messages, Python writes "None"
 * instead of "NoneType".
 */
function argumentType(value: Value | undefined): string {
  return value === undefined || value === null ? "None" : typeName(value)
}
