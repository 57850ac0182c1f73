import type { StepBudget } from "../limits/step-budget.js"
import { compareCodePoints } from "../characters/code-points.js"
import { raise } from "../limits/condition-failed.js"
import {
  amountOf,
  type Dict,
  type SetValue,
  Tuple,
  typeName,
  type Value,
} from "../values/values.js"

/**
 * Compares two values like Python's `==`. Throws only if the comparison exceeds the step budget.
 */
export function equals(left: Value, right: Value, budget: StepBudget): boolean {
  if (typeof left === "string") {
    if (typeof right !== "string" || left.length !== right.length) return false
    budget.read(left)
    return left === right
  }
  if (left === right)
    return !(
      typeof left === "object" &&
      left !== null &&
      left.kind === "float" &&
      Number.isNaN(left.value)
    )
  const amount = amountOf(left)
  if (amount !== undefined) {
    const other = amountOf(right)
    // Only the loose operator considers a bigint and a number with the same value equal.
    return other !== undefined && amount == other
  }
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null)
    return false
  switch (left.kind) {
    case "list":
      return right.kind === "list" && equalItems(left.toArray(), right.toArray(), budget)
    case "tuple":
      return right.kind === "tuple" && equalItems(left.items, right.items, budget)
    case "dict":
      if (right.kind !== "dict" || left.size() !== right.size()) return false
      for (const key of left.keys()) {
        budget.spend(1)
        const other = right.get(key)
        if (other === undefined || !sameOrEqual(left.get(key)!, other, budget)) return false
      }
      return true
    case "set":
    case "dict_keys":
    case "dict_items": {
      const one = asSetLike(left, budget)
      const two = asSetLike(right, budget)
      return (
        one !== null &&
        two !== null &&
        one.size() === two.size() &&
        one.toArray().every((item) => two.has(item))
      )
    }
    case "float":
    case "dict_values":
    case "slice":
    case "range":
    case "stream":
      return false
  }
}

/**
 * Returns whether two values are equal in the sense of Python's `in`. Unlike with `==`, a nan
 * equals itself if it is the same object. Python also uses this rule to compare the items of two
 * containers.
 */
export function sameOrEqual(left: Value, right: Value, budget: StepBudget): boolean {
  return (left === right && typeof left !== "string") || equals(left, right, budget)
}

function equalItems(left: readonly Value[], right: readonly Value[], budget: StepBudget): boolean {
  if (left.length !== right.length) return false
  budget.spend(left.length / 4)
  for (let index = 0; index < left.length; index++) {
    if (!sameOrEqual(left[index]!, right[index]!, budget)) return false
  }
  return true
}

export type Order = "<" | "<=" | ">" | ">="

/**
 * Compares two values like Python's `<`, `<=`, `>` and `>=`. Raises TypeError for types without an
 * order.
 */
export function inOrder(order: Order, left: Value, right: Value, budget: StepBudget): boolean {
  const amount = amountOf(left)
  if (amount !== undefined) {
    const other = amountOf(right)
    if (other !== undefined) return numbersInOrder(order, amount, other)
  } else if (typeof left === "string") {
    if (typeof right === "string") {
      budget.read(left)
      return holds(order, compareCodePoints(left, right))
    }
  } else if (
    typeof left === "object" &&
    left !== null &&
    typeof right === "object" &&
    right !== null
  ) {
    if (left.kind === "list" && right.kind === "list")
      return itemsInOrder(order, left.toArray(), right.toArray(), budget)
    if (left.kind === "tuple" && right.kind === "tuple")
      return itemsInOrder(order, left.items, right.items, budget)
    const one = asSetLike(left, budget)
    const two = asSetLike(right, budget)
    if (one !== null && two !== null) {
      if (order === ">" || order === ">=")
        return inOrder(order === ">" ? "<" : "<=", right, left, budget)
      const fits = order === "<" ? one.size() < two.size() : one.size() <= two.size()
      return fits && one.toArray().every((item) => two.has(item))
    }
  }
  return raise(
    "TypeError",
    `'${order}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  )
}

function numbersInOrder(order: Order, left: number | bigint, right: number | bigint): boolean {
  switch (order) {
    case "<":
      return left < right
    case "<=":
      return left <= right
    case ">":
      return left > right
    case ">=":
      return left >= right
  }
}

function holds(order: Order, difference: number): boolean {
  return numbersInOrder(order, difference, 0)
}

/**
 * Compares two sequences by their first pair of items that are not equal. If there is no such pair,
 * compares the lengths.
 */
function itemsInOrder(
  order: Order,
  left: readonly Value[],
  right: readonly Value[],
  budget: StepBudget,
): boolean {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    budget.spend(0.25)
    const one = left[index]!
    const two = right[index]!
    if (!sameOrEqual(one, two, budget)) return inOrder(order, one, two, budget)
  }
  return numbersInOrder(order, left.length, right.length)
}

/**
 * Returns a value as a set for comparisons. Accepts sets and the dict views `keys()` and `items()`.
 * Returns null for all other types.
 */
export function asSetLike(value: Value, budget: StepBudget): SetValue | null {
  if (typeof value !== "object" || value === null) return null
  if (value.kind === "set") {
    budget.spend(value.size() / 2)
    return value
  }
  if (value.kind !== "dict_keys" && value.kind !== "dict_items") return null
  const { dict, kind } = value
  budget.spend(dict.size() / 2)
  return {
    kind: "set",
    size: () => dict.size(),
    has: (item) =>
      kind === "dict_keys" ? dict.get(item) !== undefined : hasPair(dict, item, budget),
    toArray: () => (kind === "dict_keys" ? dict.keys() : pairs(dict)),
  }
}

/** Returns whether an item is a `(key, value)` pair of the dict. */
export function hasPair(dict: Dict, item: Value, budget: StepBudget): boolean {
  if (typeof item !== "object" || item?.kind !== "tuple" || item.items.length !== 2) return false
  const value = dict.get(item.items[0]!)
  return value !== undefined && sameOrEqual(value, item.items[1]!, budget)
}

export function pairs(dict: Dict): Tuple[] {
  return Array.from(dict.keys(), (key) => new Tuple([key, dict.get(key)!]))
}
