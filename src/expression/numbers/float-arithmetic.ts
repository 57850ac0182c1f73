import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { exactPower } from "./exact-power.js"
import { floatValue, type Value } from "../values/values.js"

/**
 * Divides two floats. Returns the quotient rounded down, and the remainder with the sign of the
 * divisor. The two results are consistent, as in Python.
 */
function divideWithRemainder(
  left: number,
  right: number,
): { readonly quotient: number; readonly remainder: number } {
  let remainder = left % right
  let quotient = (left - remainder) / right
  if (remainder !== 0) {
    if (right < 0 !== remainder < 0) {
      remainder += right
      quotient -= 1
    }
  } else {
    remainder = right < 0 || Object.is(right, -0) ? -0 : 0
  }
  if (quotient === 0) return { quotient: copySign(0, left / right), remainder }
  const floor = Math.floor(quotient)
  return { quotient: quotient - floor > 0.5 ? floor + 1 : floor, remainder }
}

function copySign(magnitude: number, sign: number): number {
  return sign < 0 || Object.is(sign, -0) ? -magnitude : magnitude
}

export function floorDivideFloats(left: number, right: number): Value {
  if (right === 0) raise("ZeroDivisionError", "float floor division by zero")
  return floatValue(divideWithRemainder(left, right).quotient)
}

export function moduloFloats(left: number, right: number): Value {
  if (right === 0) raise("ZeroDivisionError", "float modulo")
  return floatValue(divideWithRemainder(left, right).remainder)
}

export function powerFloats(base: number, exponent: number, budget: StepBudget): Value {
  if (exponent === 0 || base === 1) return floatValue(1)
  if (Number.isNaN(base) || Number.isNaN(exponent)) return floatValue(Number.NaN)
  if (base === -1 && !Number.isFinite(exponent)) return floatValue(1)
  if (base === 0 && exponent < 0 && Number.isFinite(exponent))
    raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
  if (
    base < 0 &&
    Number.isFinite(base) &&
    Number.isFinite(exponent) &&
    !Number.isInteger(exponent)
  ) {
    if (!Number.isFinite(Math.abs(base) ** exponent))
      raise("OverflowError", "complex exponentiation")
    raise("UnsupportedError", "the power of a negative number would be complex")
  }
  if (!Number.isFinite(base) || !Number.isFinite(exponent)) return floatValue(base ** exponent)
  budget.spend(50)
  const result = exactPower(base, exponent)
  if (!Number.isFinite(result)) raise("OverflowError", "(34, 'Numerical result out of range')")
  return floatValue(result)
}
