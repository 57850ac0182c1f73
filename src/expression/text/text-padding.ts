import {
  type CallArguments,
  expectCount,
  type PassedArguments,
  sizeArgument,
} from "../collections/call-arguments.js"
import { codePointLength } from "../characters/code-points.js"
import { raise } from "../limits/condition-failed.js"
import { typeName } from "../values/values.js"

/** Returns the implementation of Python's `str.ljust` or `str.rjust`. */
export function justified(name: "ljust" | "rjust"): (text: string, args: CallArguments) => string {
  return (text, args) => {
    expectCount(name, args, 1, 2)
    const missing = missingCharacters(text, args)
    const fill = args.positional[1] ?? " "
    const given = args.positional[1]
    if (given !== undefined && typeof given !== "string")
      return raise(
        "TypeError",
        `The fill character must be a unicode character, not ${typeName(given)}`,
      )
    if (typeof fill !== "string" || codePointLength(fill) !== 1)
      return raise("TypeError", "The fill character must be exactly one character long")
    const padding = fill.repeat(missing)
    return args.budget.text(name === "ljust" ? text + padding : padding + text)
  }
}

/** Implements Python's `str.zfill`, which inserts zeros after the sign. */
export function zeroFilled(text: string, args: CallArguments): string {
  expectCount("str.zfill", args, 1, 1)
  const zeros = "0".repeat(missingCharacters(text, args))
  const hasSign = text.startsWith("+") || text.startsWith("-")
  return args.budget.text(hasSign ? text[0] + zeros + text.slice(1) : zeros + text)
}

function missingCharacters(text: string, args: PassedArguments): number {
  const width = sizeArgument(args.positional[0])
  args.budget.read(text)
  const length = codePointLength(text)
  if (width <= length) return 0
  args.budget.plannedText(width)
  return width - length
}
