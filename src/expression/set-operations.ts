import type { Budget } from "./budget.js"
import { asSetLike } from "./compare.js"
import { HashDict, HashSet, makeSet } from "./hash-tables.js"
import { collect } from "./iterate.js"
import { unionOrder } from "./set-order.js"
import type { SetValue, Value } from "./values.js"

/**
 * Whether an operator combines these as sets: two sets, or anything with the keys or items of a dict, which
 * are not particular about the other side.
 */
export function isSetOperand(left: Value, right: Value): boolean {
  return isView(left) || isView(right) || (isSet(left) && isSet(right))
}

function isSet(value: Value): boolean {
  return typeof value === "object" && value?.kind === "set"
}

function isView(value: Value): boolean {
  return typeof value === "object" && (value?.kind === "dict_keys" || value?.kind === "dict_items")
}

export function unionOf(left: Value, right: Value, budget: Budget): HashSet {
  const one = collect(left, budget)
  const two = collect(right, budget)
  const union = makeSet(one, budget)
  if (one.length + two.length > 1 && isSet(left)) {
    const order = unionOrder(one, two, isSet(right), (item) => !union.has(item))
    for (const item of two) union.add(item, budget)
    if (order !== null) union.arrange(order)
    return union
  }
  for (const item of two) union.add(item, budget)
  return union
}

/** Of equal items, Python keeps that of the smaller set, or the right one; a view on the left only answers questions. */
export function intersectionOf(left: Value, right: Value, budget: Budget): HashSet {
  const swapped = !isSet(left) && !isView(left)
  let container = asSetLike(swapped ? right : left, budget)!
  let candidates = swapped ? left : right
  const other = asSetLike(candidates, budget)
  // A view leaves even a set of the same size to the set.
  const least = isSet(candidates) && isView(swapped ? right : left) ? container.size() : container.size() + 1
  if (other !== null && other.size() >= least) {
    candidates = swapped ? right : left
    container = other
  }
  const result = makeSet([], budget)
  for (const item of collect(candidates, budget)) if (container.has(item)) result.add(item, budget)
  return result
}

export function differenceOf(left: Value, right: Value, budget: Budget): HashSet {
  const rest = makeSet(collect(left, budget), budget)
  for (const item of collect(right, budget)) rest.delete(item)
  return rest
}

export function symmetricDifferenceOf(left: Value, right: Value, budget: Budget): HashSet {
  const one = setOperand(left, budget)
  const two = setOperand(right, budget)
  const result = makeSet([], budget)
  for (const item of two.toArray()) if (!one.has(item)) result.add(item, budget)
  for (const item of one.toArray()) if (!two.has(item)) result.add(item, budget)
  return result
}

/** The items of a dict compare without being hashed. */
function setOperand(value: Value, budget: Budget): SetValue {
  const isItems = typeof value === "object" && value?.kind === "dict_items"
  return (isItems ? asSetLike(value, budget) : null) ?? makeSet(collect(value, budget), budget)
}

/** `|` of two dicts: the right one wins. Undefined when one side is no dict. */
export function mergeDicts(left: Value, right: Value, budget: Budget): HashDict | undefined {
  if (typeof left !== "object" || left?.kind !== "dict" || typeof right !== "object" || right?.kind !== "dict") return undefined
  const merged = new HashDict()
  for (const dict of [left, right]) for (const key of collect(dict, budget)) merged.set(key, dict.get(key)!, budget)
  return merged
}
