import {
  argument,
  type CallArguments,
  expectCount,
  flagArgument,
  sizeArgument,
} from "../collections/call-arguments.js"
import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { splitLines, splitText, splitTextBack, splitWords, splitWordsBack } from "./split-text.js"
import { findLastUnit, findUnit } from "./string-search.js"
import type { TextMethod } from "./text-method.js"
import { ArrayList, Tuple, typeName, type Value } from "../values/values.js"

/** Python's string methods that split a text, by name. */
export const splitMethods: readonly (readonly [name: string, method: TextMethod])[] = [
  ["split", splitter("split", splitText, splitWords)],
  ["rsplit", splitter("rsplit", splitTextBack, splitWordsBack)],
  ["splitlines", lines],
  ["partition", partition],
  ["rpartition", partitionBack],
]

function splitter(
  name: string,
  bySeparator: (text: string, separator: string, most: number, budget: StepBudget) => string[],
  byWords: (text: string, most: number, budget: StepBudget) => string[],
): TextMethod {
  return (text, args) => {
    expectCount(name, args, 0, 2)
    const separator = argument(name, args, 0, "sep") ?? null
    const limit = argument(name, args, 1, "maxsplit")
    const most = limit === undefined ? -1 : sizeArgument(limit)
    if (separator === null) return new ArrayList(byWords(text, most, args.budget))
    if (typeof separator !== "string")
      return raise("TypeError", `must be str or None, not ${typeName(separator)}`)
    return new ArrayList(bySeparator(text, separator, most, args.budget))
  }
}

function lines(text: string, args: CallArguments): Value {
  expectCount("splitlines", args, 0, 1)
  const keep = argument("splitlines", args, 0, "keepends")
  return new ArrayList(splitLines(text, keep !== undefined && flagArgument(keep), args.budget))
}

function partition(text: string, args: CallArguments): Value {
  const separator = separatorArgument("partition", args)
  const unit = findUnit(text, separator, 0, args.budget)
  return unit < 0 ? new Tuple([text, "", ""]) : parts(text, separator, unit)
}

function partitionBack(text: string, args: CallArguments): Value {
  const separator = separatorArgument("rpartition", args)
  const unit = findLastUnit(text, separator, args.budget)
  return unit < 0 ? new Tuple(["", "", text]) : parts(text, separator, unit)
}

function separatorArgument(name: string, args: CallArguments): string {
  expectCount(`str.${name}`, args, 1, 1)
  const separator = args.positional[0]
  if (typeof separator !== "string")
    return raise("TypeError", `must be str, not ${typeName(separator)}`)
  return separator === "" ? raise("ValueError", "empty separator") : separator
}

function parts(text: string, separator: string, unit: number): Tuple {
  return new Tuple([text.substring(0, unit), separator, text.substring(unit + separator.length)])
}
