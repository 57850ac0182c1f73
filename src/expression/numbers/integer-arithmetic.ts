import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { powerFloats } from "./float-arithmetic.js"
import { limits } from "../limits/limits.js"
import { bitLength } from "./bit-length.js"
import { floatValue, normalizeInteger, type Value } from "../values/values.js"

type Integer = number | bigint

const largest = 1n << BigInt(limits.resultBits)
/**
 * Limit above which an operation on an integer costs 100 steps instead of one. The limit applies to
 * the absolute value.
 */
const wide = 1n << 1024n

export function addIntegers(left: Integer, right: Integer, budget: StepBudget): Integer {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right
    if (Number.isSafeInteger(sum)) return sum
  }
  return integerResult(BigInt(left) + BigInt(right), budget)
}

export function subtractIntegers(left: Integer, right: Integer, budget: StepBudget): Value {
  if (typeof left === "number" && typeof right === "number") {
    const difference = left - right
    if (Number.isSafeInteger(difference)) return difference
  }
  return integerResult(BigInt(left) - BigInt(right), budget)
}

export function multiplyIntegers(left: Integer, right: Integer, budget: StepBudget): Value {
  if (typeof left === "number" && typeof right === "number") {
    const product = left * right
    // Adding 0 converts -0 to the int 0.
    if (Number.isSafeInteger(product)) return product + 0
  }
  return integerResult(BigInt(left) * BigInt(right), budget)
}

/**
 * Divides two ints like Python's `/`. The result is a float that is rounded only once, even if an
 * operand is too large for a float.
 */
export function divideIntegers(left: Integer, right: Integer, budget: StepBudget): Value {
  if (right == 0) raise("ZeroDivisionError", "division by zero")
  if (typeof left === "number" && typeof right === "number") return floatValue(left / right)
  const dividend = BigInt(left)
  const divisor = BigInt(right)
  payFor(dividend, budget)
  payFor(divisor, budget)
  const negative = dividend < 0n !== divisor < 0n
  const quotient = divideMagnitudes(
    dividend < 0n ? -dividend : dividend,
    divisor < 0n ? -divisor : divisor,
  )
  if (!Number.isFinite(quotient))
    raise("OverflowError", "integer division result too large for a float")
  return floatValue(negative ? -quotient : quotient)
}

/**
 * Divides two positive integers. Computes 66 bits of the quotient and one more bit that is set if
 * there is a remainder, so that the conversion to a float rounds correctly.
 */
function divideMagnitudes(dividend: bigint, divisor: bigint): number {
  if (dividend === 0n) return 0
  const shift = bitLength(divisor) - bitLength(dividend) + 66
  const scaled = shift >= 0 ? dividend << BigInt(shift) : dividend
  const scale = shift >= 0 ? divisor : divisor << BigInt(-shift)
  const quotient = scaled / scale
  const sticky = scaled % scale === 0n ? 0n : 1n
  const value = Number((quotient << 1n) | sticky)
  const exponent = -shift - 1
  // Multiply in two steps, because 2 ** exponent alone may be too large or too small for a float.
  const half = Math.trunc(exponent / 2)
  return value * 2 ** half * 2 ** (exponent - half)
}

export function floorDivideIntegers(left: Integer, right: Integer, budget: StepBudget): Value {
  if (right == 0) raise("ZeroDivisionError", "integer division or modulo by zero")
  if (typeof left === "number" && typeof right === "number") {
    const remainder = left % right
    const exact = (left - remainder) / right
    return (remainder !== 0 && remainder < 0 !== right < 0 ? exact - 1 : exact) + 0
  }
  const dividend = BigInt(left)
  const divisor = BigInt(right)
  const quotient = dividend / divisor
  const remainder = dividend % divisor
  return integerResult(
    remainder !== 0n && remainder < 0n !== divisor < 0n ? quotient - 1n : quotient,
    budget,
    dividend,
  )
}

/** Returns the remainder of two ints, like Python's `%`. The result has the sign of the divisor. */
export function moduloIntegers(left: Integer, right: Integer, budget: StepBudget): Value {
  if (right == 0) raise("ZeroDivisionError", "integer modulo by zero")
  if (typeof left === "number" && typeof right === "number") {
    const remainder = left % right
    return (remainder !== 0 && remainder < 0 !== right < 0 ? remainder + right : remainder) + 0
  }
  const divisor = BigInt(right)
  const remainder = BigInt(left) % divisor
  return integerResult(
    remainder !== 0n && remainder < 0n !== divisor < 0n ? remainder + divisor : remainder,
    budget,
    BigInt(left),
  )
}

export function powerIntegers(left: Integer, right: Integer, budget: StepBudget): Value {
  if (right < 0) return powerFloats(exactFloat(left), exactFloat(right), budget)
  if (right == 0) return 1
  if (left == 0 || left == 1) return left
  if (left == -1) return BigInt(right) % 2n === 0n ? 1 : -1
  const base = BigInt(left)
  const exponent = BigInt(right)
  if (BigInt(bitLength(base)) * exponent > BigInt(limits.powerBits))
    raise(
      "LimitError",
      `the result of ** has more than ${limits.powerBits} bits, which is the limit`,
    )
  return integerResult(base ** exponent, budget)
}

function exactFloat(value: Integer): number {
  const float = Number(value)
  return Number.isFinite(float)
    ? float
    : raise("OverflowError", "int too large to convert to float")
}

/**
 * Charges the cost of an integer operation to the step budget, and throws if the result has too
 * many bits. The cost depends on the size of `cause`. This is the result, unless the caller passes
 * a larger operand. Returns a number if the result is a safe integer, and a bigint otherwise.
 */
export function integerResult(
  value: bigint,
  budget: StepBudget,
  cause: bigint = value,
): number | bigint {
  payFor(cause, budget)
  if (value > largest || value < -largest)
    raise("LimitError", `an integer has more than ${limits.resultBits} bits`)
  return normalizeInteger(value)
}

function payFor(value: bigint, budget: StepBudget): void {
  budget.spend(value > wide || value < -wide ? 100 : 1)
}
