import type { StepBudget } from "../limits/step-budget.js"
import { asSetLike } from "./compare.js"
import { HashDict, HashSet, makeSet } from "./hash-tables.js"
import { collect } from "./iterate.js"
import { grownTable } from "./set-table.js"
import type { SetValue, Value } from "../values/values.js"

/**
 * Returns whether the operators `|`, `&`, `-` and `^` treat their operands as sets. This is true
 * for two sets, and for a dict view combined with any iterable.
 */
export function isSetOperand(left: Value, right: Value): boolean {
  return isView(left) || isView(right) || (isSet(left) && isSet(right))
}

function isSet(value: Value): boolean {
  return typeof value === "object" && value?.kind === "set"
}

function isDict(value: Value): boolean {
  return typeof value === "object" && value?.kind === "dict"
}

function isView(value: Value): boolean {
  return typeof value === "object" && (value?.kind === "dict_keys" || value?.kind === "dict_items")
}

/** Creates a set of the items, like Python's `set(items)`. If `items` is a set, returns a copy. */
export function setOf(items: Value, budget: StepBudget): HashSet {
  return makeSet(
    collect(items, budget),
    budget,
    items instanceof HashSet ? () => items.table()?.copy() ?? null : undefined,
  )
}

export function unionOf(left: Value, right: Value, budget: StepBudget): HashSet {
  const one = left instanceof HashSet ? left : makeSet(collect(left, budget), budget)
  const two = collect(right, budget)
  const union = makeSet(collect(one, budget), budget, (items) => {
    const table = one.table()
    const added = new Set(items)
    for (const item of one.toArray()) added.delete(item)
    if (table === null || grownTable(Array.from(added)) === null) return null
    const copy = table.copy()
    if (right instanceof HashSet) copy.makeRoom(two.length)
    for (const item of added) copy.add(item)
    return copy
  })
  for (const item of two) union.add(item, budget)
  return union
}

/**
 * Returns the common items of two collections, like Python's `&`. If two items are equal, such as 1
 * and True, the result contains the same item as in Python. This is usually the item of the smaller
 * set, otherwise the item of the right operand.
 */
export function intersectionOf(left: Value, right: Value, budget: StepBudget): HashSet {
  const swapped = !isSet(left) && !isView(left)
  let container = asSetLike(swapped ? right : left, budget)!
  let candidates = swapped ? left : right
  const other = asSetLike(candidates, budget)
  // If the left operand is a dict view and the right one a set of the same size, Python keeps the
  // items of the view.
  const least =
    isSet(candidates) && isView(swapped ? right : left) ? container.size() : container.size() + 1
  if (other !== null && other.size() >= least) {
    candidates = swapped ? right : left
    container = other
  }
  const result = makeSet([], budget)
  for (const item of collect(candidates, budget)) if (container.has(item)) result.add(item, budget)
  return result
}

export function differenceOf(left: Value, right: Value, budget: StepBudget): HashSet {
  const one = left instanceof HashSet ? left : makeSet(collect(left, budget), budget)
  const removed = collect(right, budget)
  // Like Python, look up each left item in the right operand if the left set is small enough.
  // Otherwise, remove the right items from a copy.
  const lookedUp = (right instanceof HashSet || isDict(right)) && one.size() >> 2 <= removed.length
  const rest = makeSet(
    collect(one, budget),
    budget,
    lookedUp
      ? undefined
      : (items) => {
          const copy = one.table()?.copy() ?? null
          const kept = new Set(items)
          for (const item of one.toArray()) if (!kept.has(item)) copy?.remove(item)
          copy?.tidy()
          return copy
        },
  )
  for (const item of removed) rest.delete(item)
  return rest
}

export function symmetricDifferenceOf(left: Value, right: Value, budget: StepBudget): HashSet {
  const one = setOperand(left, budget)
  const two = setOperand(right, budget)
  const result = makeSet([], budget, (items) => {
    const table = two instanceof HashSet ? (two.table()?.copy() ?? null) : null
    if (table === null || grownTable(items) === null) return null
    for (const item of one.toArray()) {
      if (two.has(item)) table.remove(item)
      else table.add(item)
    }
    return table
  })
  for (const item of two.toArray()) if (!one.has(item)) result.add(item, budget)
  for (const item of one.toArray()) if (!two.has(item)) result.add(item, budget)
  return result
}

/**
 * Converts the operand of a set operation to a set. The view `dict.items()` is used directly. It
 * cannot be converted, because its values may not be hashable.
 */
function setOperand(value: Value, budget: StepBudget): SetValue {
  if (value instanceof HashSet) {
    budget.spend(value.size())
    return value
  }
  const isItems = typeof value === "object" && value?.kind === "dict_items"
  return (isItems ? asSetLike(value, budget) : null) ?? makeSet(collect(value, budget), budget)
}

/**
 * Merges two dicts, like Python's `|`. If both dicts contain the same key, the result contains the
 * value of the right dict. Returns undefined unless both values are dicts.
 */
export function mergeDicts(left: Value, right: Value, budget: StepBudget): HashDict | undefined {
  if (
    typeof left !== "object" ||
    left?.kind !== "dict" ||
    typeof right !== "object" ||
    right?.kind !== "dict"
  )
    return undefined
  const merged = new HashDict()
  for (const dict of [left, right])
    for (const key of collect(dict, budget)) merged.set(key, dict.get(key)!, budget)
  return merged
}
