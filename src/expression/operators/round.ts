import { type CallArguments, argument, expectCount } from "../collections/call-arguments.js"
import { raise } from "../limits/condition-failed.js"
import { floatToInteger } from "./convert-number.js"
import { fixedDigits } from "../numbers/decimal-expansion.js"
import { integerResult } from "../numbers/integer-arithmetic.js"
import { amountOf, floatValue, integerOf, typeName, type Value } from "../values/values.js"

/**
 * Implements Python's `round(number, ndigits)`. Rounds half to even, based on the exact decimal
 * value of the float.
 */
export function round(args: CallArguments): Value {
  expectCount("round", args, 1, 2)
  const value = args.positional[0]
  const places = argument("round", args, 1, "ndigits") ?? null
  const integer = integerOf(value)
  const amount = amountOf(value)
  if (amount === undefined)
    return raise("TypeError", `type ${typeName(value)} doesn't define __round__ method`)
  if (places === null) return integer ?? floatToInteger(Number(amount), halfToEven)
  const digits = integerOf(places)
  if (digits === undefined)
    return raise("TypeError", `'${typeName(places)}' object cannot be interpreted as an integer`)
  if (integer !== undefined)
    return digits >= 0 ? integer : roundedInteger(BigInt(integer), digits, args)
  args.budget.spend(6)
  return roundedFloat(Number(amount), digits)
}

function halfToEven(amount: number): number {
  const floor = Math.floor(amount)
  const rest = amount - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

function roundedInteger(value: bigint, places: number | bigint, args: CallArguments): Value {
  // The result is 0, because no integer of this language has more than 5000 digits.
  if (places < -5000) return 0
  const unit = 10n ** BigInt(-places)
  const floor = (value / unit - (value % unit < 0n ? 1n : 0n)) * unit
  const twice = 2n * (value - floor)
  const up = twice > unit || (twice === unit && (floor / unit) % 2n !== 0n)
  return integerResult(up ? floor + unit : floor, args.budget)
}

function roundedFloat(amount: number, places: number | bigint): Value {
  if (!Number.isFinite(amount) || amount === 0 || places > 323) return floatValue(amount)
  if (places < -308) return floatValue(amount < 0 ? -0 : 0)
  const rounded = Number(`${fixedDigits(amount, Number(places))}e${-Number(places)}`)
  if (!Number.isFinite(rounded)) raise("OverflowError", "rounded value too large to represent")
  return floatValue(amount < 0 ? -rounded : rounded)
}
