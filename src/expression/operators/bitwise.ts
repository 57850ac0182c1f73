import type { BinaryOperation } from "./arithmetic.js"
import { unsupported } from "./arithmetic.js"
import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { integerResult } from "../numbers/integer-arithmetic.js"
import { limits } from "../limits/limits.js"
import {
  intersectionOf,
  isSetOperand,
  mergeDicts,
  symmetricDifferenceOf,
  unionOf,
} from "../collections/set-operations.js"
import { integerOf, normalizeInteger, typeName, type Value } from "../values/values.js"

export const bitAnd: BinaryOperation = (left, right, budget) =>
  bits(left, right, budget, (a, b) => a & b) ??
  (isSetOperand(left, right) ? intersectionOf(left, right, budget) : unsupported("&", left, right))

export const bitOr: BinaryOperation = (left, right, budget) => {
  const number = bits(left, right, budget, (a, b) => a | b)
  if (number !== undefined) return number
  if (isSetOperand(left, right)) return unionOf(left, right, budget)
  return mergeDicts(left, right, budget) ?? unsupported("|", left, right)
}

export const bitXor: BinaryOperation = (left, right, budget) =>
  bits(left, right, budget, (a, b) => a ^ b) ??
  (isSetOperand(left, right)
    ? symmetricDifferenceOf(left, right, budget)
    : unsupported("^", left, right))

/**
 * Applies a bitwise operation to two ints. The result of two bools is a bool. Returns undefined if
 * an operand is not an int.
 */
function bits(
  left: Value,
  right: Value,
  budget: StepBudget,
  operation: (left: bigint, right: bigint) => bigint,
): Value | undefined {
  const a = integerOf(left)
  const b = integerOf(right)
  if (a === undefined || b === undefined) return undefined
  const result = integerResult(operation(BigInt(a), BigInt(b)), budget)
  return typeof left === "boolean" && typeof right === "boolean" ? result === 1 : result
}

export const shiftLeft: BinaryOperation = (left, right, budget) => {
  const a = integerOf(left)
  const b = integerOf(right)
  if (a === undefined || b === undefined) return unsupported("<<", left, right)
  if (a != 0 && b > limits.integerBits)
    raise("LimitError", `the result of the shift has more than ${limits.integerBits} bits`)
  if (b < 0) raise("ValueError", "negative shift count")
  return a == 0 ? 0 : integerResult(BigInt(a) << BigInt(b), budget)
}

export const shiftRight: BinaryOperation = (left, right, budget) => {
  const a = integerOf(left)
  const b = integerOf(right)
  if (a === undefined || b === undefined) return unsupported(">>", left, right)
  if (b < 0) raise("ValueError", "negative shift count")
  if (b > 4 * limits.resultBits) return a < 0 ? -1 : 0
  return integerResult(BigInt(a) >> BigInt(b), budget)
}

export function invert(value: Value): Value {
  const integer = integerOf(value)
  if (integer === undefined)
    return raise("TypeError", `bad operand type for unary ~: '${typeName(value)}'`)
  return normalizeInteger(~BigInt(integer))
}
