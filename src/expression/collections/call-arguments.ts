import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { integerOf, typeName, type Value } from "../values/values.js"

/**
 * The evaluated arguments of a function call in a condition. The compiler has already rejected
 * unknown keywords.
 */
export interface CallArguments {
  readonly positional: readonly Value[]
  readonly keywords: ReadonlyMap<string, Value>
  readonly budget: StepBudget
  /**
   * The function that is passed as Python's argument `key`, as in `max(names, key=len)`, or as the
   * first argument of `map` and `filter`.
   */
  readonly keyFunction?: KeyFunction | undefined
}

export type KeyFunction = (value: Value) => Value

/** The arguments of a function call with at least one positional argument. */
export interface PassedArguments extends CallArguments {
  readonly positional: readonly [Value, ...Value[]]
}

/**
 * The type of the arguments of a function call after `expectCount` has checked them. If at least
 * one argument is required, the type contains the first positional argument.
 */
type ArgumentsOf<Least extends number> = Least extends 0 ? CallArguments : PassedArguments

/**
 * Raises a Python TypeError if the number of positional arguments is less than `least` or greater
 * than `most`.
 */
export function expectCount<Least extends 0 | 1 | 2>(
  name: string,
  args: CallArguments,
  least: Least,
  most: number,
): asserts args is ArgumentsOf<Least> {
  const count = args.positional.length
  if (count >= least && count <= most) return
  const bound = count < least ? least : most
  const plural = bound === 1 ? "argument" : "arguments"
  if (most === 0) raise("TypeError", `${name}() takes no arguments (${count} given)`)
  if (least === most && most === 1)
    raise("TypeError", `${name}() takes exactly one argument (${count} given)`)
  if (least === most) raise("TypeError", `${name} expected ${most} ${plural}, got ${count}`)
  raise(
    "TypeError",
    `${name} expected at ${count < least ? "least" : "most"} ${bound} ${plural}, got ${count}`,
  )
}

/**
 * Returns the value of an argument that can be passed by position or by keyword. Returns undefined
 * if the argument is missing. Raises a Python TypeError if it is passed in both ways.
 */
export function argument(
  name: string,
  args: CallArguments,
  index: number,
  keyword: string,
): Value | undefined {
  const positional = args.positional[index]
  const named = args.keywords.get(keyword)
  if (positional !== undefined && named !== undefined) {
    raise(
      "TypeError",
      `argument for ${name}() given by name ('${keyword}') and position (${index + 1})`,
    )
  }
  return positional !== undefined ? positional : named
}

/**
 * Converts an argument to an index. Accepts bools and raises TypeError for floats, as Python does.
 * Clamps values outside the range of safe integers to this range.
 */
export function indexArgument(value: Value): number {
  const integer = integerOf(value)
  if (integer === undefined)
    return raise("TypeError", `'${typeName(value)}' object cannot be interpreted as an integer`)
  return clamped(integer)
}

/**
 * Converts an int argument to a boolean, as Python does. 0 is false. Raises OverflowError if the
 * int does not fit into a C int (32 bits).
 */
export function flagArgument(value: Value): boolean {
  const integer = integerOf(value)
  if (integer === undefined)
    return raise("TypeError", `'${typeName(value)}' object cannot be interpreted as an integer`)
  if (integer > 2147483647 || integer < -2147483648)
    raise("OverflowError", "Python int too large to convert to C int")
  return integer != 0
}

/**
 * Converts an int argument to a number of characters. Raises OverflowError if the int does not fit
 * into 64 bits, as Python does. Clamps values outside the range of safe integers to this range.
 */
export function sizeArgument(value: Value): number {
  const integer = integerOf(value)
  if (integer === undefined)
    return raise("TypeError", `'${typeName(value)}' object cannot be interpreted as an integer`)
  if (integer > 9223372036854775807n || integer < -9223372036854775808n) {
    raise("OverflowError", "Python int too large to convert to C ssize_t")
  }
  return clamped(integer)
}

function clamped(integer: number | bigint): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(integer)))
}
