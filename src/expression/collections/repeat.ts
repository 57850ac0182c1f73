import type { StepBudget } from "../limits/step-budget.js"
import { codePointLength } from "../characters/code-points.js"
import { raise } from "../limits/condition-failed.js"
import { limits } from "../limits/limits.js"
import { ArrayList, integerOf, Tuple, typeName, type Value } from "../values/values.js"

/**
 * Concatenates two strings, lists or tuples, like Python's `+`. Returns undefined if the left
 * operand has another type.
 */
export function concatenate(left: Value, right: Value, budget: StepBudget): Value | undefined {
  if (typeof left === "string") {
    return typeof right === "string" ? budget.text(left + right) : wrongType("str", right)
  }
  if (typeof left !== "object" || left === null) return undefined
  const other = typeof right === "object" && right !== null ? right : null
  if (left.kind === "list") {
    return other?.kind === "list"
      ? new ArrayList(joined(left.toArray(), other.toArray(), budget))
      : wrongType("list", right)
  }
  if (left.kind === "tuple") {
    return other?.kind === "tuple"
      ? new Tuple(joined(left.items, other.items, budget))
      : wrongType("tuple", right)
  }
  return undefined
}

function wrongType(type: string, right: Value): never {
  return raise("TypeError", `can only concatenate ${type} (not "${typeName(right)}") to ${type}`)
}

function joined(
  left: readonly Value[],
  right: readonly Value[],
  budget: StepBudget,
): readonly Value[] {
  budget.collection(left.length + right.length)
  budget.spend((left.length + right.length) / 8)
  return [...left, ...right]
}

/**
 * Repeats a sequence, like Python's `*` with a sequence and an int in either order. Returns
 * undefined if neither operand is a sequence.
 */
export function repeat(left: Value, right: Value, budget: StepBudget): Value | undefined {
  const sequence = isSequence(left) ? left : isSequence(right) ? right : undefined
  if (sequence === undefined) return undefined
  const other = sequence === left ? right : left
  const integer = integerOf(other)
  if (integer === undefined)
    raise("TypeError", `can't multiply sequence by non-int of type '${typeName(other)}'`)
  if (integer > 9223372036854775807n || integer < -9223372036854775808n) {
    raise("OverflowError", "cannot fit 'int' into an index-sized integer")
  }
  const times = Math.max(0, Number(integer))
  if (typeof sequence === "string") {
    if (sequence === "" || times === 0) return ""
    if (sequence.length * times > limits.text) budget.plannedText(codePointLength(sequence) * times)
    return budget.text(sequence.repeat(times))
  }
  const items = sequence.kind === "list" ? sequence.toArray() : sequence.items
  if (items.length > 0) budget.collection(items.length * times)
  budget.spend((items.length * times) / 8)
  const repeated: Value[] = []
  for (let round = 0; round < times && items.length > 0; round++)
    for (const item of items) repeated.push(item)
  return sequence.kind === "list" ? new ArrayList(repeated) : new Tuple(repeated)
}

function isSequence(
  value: Value,
): value is string | Extract<Value, { readonly kind: "list" | "tuple" }> {
  return (
    typeof value === "string" ||
    (typeof value === "object" &&
      value !== null &&
      (value.kind === "list" || value.kind === "tuple"))
  )
}
