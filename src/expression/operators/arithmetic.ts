import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { floorDivideFloats, moduloFloats, powerFloats } from "../numbers/float-arithmetic.js"
import {
  addIntegers,
  divideIntegers,
  floorDivideIntegers,
  moduloIntegers,
  multiplyIntegers,
  powerIntegers,
  subtractIntegers,
} from "../numbers/integer-arithmetic.js"
import { concatenate, repeat } from "../collections/repeat.js"
import { differenceOf, isSetOperand } from "../collections/set-operations.js"
import { amountOf, floatValue, integerOf, typeName, type Value } from "../values/values.js"

export type BinaryOperation = (left: Value, right: Value, budget: StepBudget) => Value

export const add: BinaryOperation = (left, right, budget) => {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right
    // The sum of two floats may be a whole number, but is still a float.
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(left) && Number.isSafeInteger(right))
      return sum
  }
  return (
    numeric(left, right, budget, addIntegers, (a, b) => floatValue(a + b)) ??
    concatenate(left, right, budget) ??
    unsupported("+", left, right)
  )
}

export const subtract: BinaryOperation = (left, right, budget) => {
  const difference = numeric(left, right, budget, subtractIntegers, (a, b) => floatValue(a - b))
  if (difference !== undefined) return difference
  return isSetOperand(left, right)
    ? differenceOf(left, right, budget)
    : unsupported("-", left, right)
}

export const multiply: BinaryOperation = (left, right, budget) =>
  numeric(left, right, budget, multiplyIntegers, (a, b) => floatValue(a * b)) ??
  repeat(left, right, budget) ??
  unsupported("*", left, right)

export const divide: BinaryOperation = (left, right, budget) =>
  numeric(left, right, budget, divideIntegers, (a, b) => {
    if (b === 0) raise("ZeroDivisionError", "float division by zero")
    return floatValue(a / b)
  }) ?? unsupported("/", left, right)

export const floorDivide: BinaryOperation = (left, right, budget) =>
  numeric(left, right, budget, floorDivideIntegers, floorDivideFloats) ??
  unsupported("//", left, right)

export const modulo: BinaryOperation = (left, right, budget) => {
  if (typeof left === "string")
    raise("UnsupportedError", "%-formatting is not part of the language. Use an f-string")
  return numeric(left, right, budget, moduloIntegers, moduloFloats) ?? unsupported("%", left, right)
}

export const power: BinaryOperation = (left, right, budget) =>
  numeric(left, right, budget, powerIntegers, powerFloats) ??
  unsupported("** or pow()", left, right)

/**
 * Applies an operation to two numbers. Uses the float operation if an operand is a float, otherwise
 * the int operation. Returns undefined if an operand is not a number.
 */
function numeric(
  left: Value,
  right: Value,
  budget: StepBudget,
  integers: (left: number | bigint, right: number | bigint, budget: StepBudget) => Value,
  floats: (left: number, right: number, budget: StepBudget) => Value,
): Value | undefined {
  const a = integerOf(left)
  const b = integerOf(right)
  if (a !== undefined && b !== undefined) return integers(a, b, budget)
  const x = amountOf(left)
  const y = amountOf(right)
  if (x === undefined || y === undefined) return undefined
  return floats(toFloat(x), toFloat(y), budget)
}

/** Converts an int to a float. Raises OverflowError if the int is out of range. */
export function toFloat(amount: number | bigint): number {
  if (typeof amount === "number") return amount
  const value = Number(amount)
  if (!Number.isFinite(value)) raise("OverflowError", "int too large to convert to float")
  return value
}

export function negate(value: Value): Value {
  if (typeof value === "number") return Number.isSafeInteger(value) ? 0 - value : -value
  const integer = integerOf(value)
  if (integer !== undefined) return typeof integer === "number" ? 0 - integer : -integer
  const amount = amountOf(value)
  return amount === undefined
    ? raise("TypeError", `bad operand type for unary -: '${typeName(value)}'`)
    : floatValue(-toFloat(amount))
}

export function plus(value: Value): Value {
  const integer = integerOf(value)
  if (integer !== undefined) return integer
  return amountOf(value) === undefined
    ? raise("TypeError", `bad operand type for unary +: '${typeName(value)}'`)
    : value
}

export function unsupported(operator: string, left: Value, right: Value): never {
  return raise(
    "TypeError",
    `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
  )
}
