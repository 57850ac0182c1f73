import type { StepBudget } from "../limits/step-budget.js"
import { codePoints } from "../characters/code-points.js"
import { pairs } from "./compare.js"
import { raise } from "../limits/condition-failed.js"
import { type Cursor, type DictView, type Range, typeName, type Value } from "../values/values.js"

/**
 * Returns a cursor that iterates over the items of a Python value. Raises TypeError for values that
 * are not iterable. Each item costs one step of the step budget.
 */
export function iterate(value: Value, budget: StepBudget): Cursor {
  if (typeof value === "object" && value !== null) {
    switch (value.kind) {
      case "stream":
        return value
      case "range":
        return rangeCursor(value, budget)
      case "list":
        return {
          next: countTo(value.length, (index) => value.itemAt(index), budget),
        }
    }
  }
  const items = sequenceItems(value, budget)
  if (items === null) return raise("TypeError", `'${typeName(value)}' object is not iterable`)
  return arrayCursor(items, budget)
}

/**
 * Returns all items of a Python iterable. Each item costs one step of the step budget. Throws if
 * there are more items than the limit for collections allows.
 */
export function collect(value: Value, budget: StepBudget): readonly Value[] {
  if (
    typeof value === "object" &&
    value !== null &&
    (value.kind === "stream" || value.kind === "range")
  ) {
    const cursor = iterate(value, budget)
    const items: Value[] = []
    for (let item = cursor.next(); item !== undefined; item = cursor.next()) {
      items.push(item)
      budget.collection(items.length)
    }
    return items
  }
  // If the length is known, it is charged before the items are created.
  const length = knownLength(value)
  if (length !== null) payForItems(length, budget)
  const items = sequenceItems(value, budget)
  if (items === null) return raise("TypeError", `'${typeName(value)}' object is not iterable`)
  if (length === null) payForItems(items.length, budget)
  return items
}

function payForItems(length: number, budget: StepBudget): void {
  budget.spend(length)
  budget.collection(length)
}

/**
 * Returns the number of items of a list, tuple, dict, dict view or set. Returns null for other
 * values, because their items must be iterated to count them.
 */
function knownLength(value: Value): number | null {
  if (typeof value !== "object" || value === null) return null
  switch (value.kind) {
    case "list":
      return value.length
    case "tuple":
      return value.items.length
    case "dict":
    case "set":
      return value.size()
    case "dict_keys":
    case "dict_values":
    case "dict_items":
      return value.dict.size()
  }
  return null
}

/**
 * Returns the items of a list, tuple, string or other stored sequence. Returns null for iterators,
 * ranges and values that are not iterable.
 */
function sequenceItems(value: Value, budget: StepBudget): readonly Value[] | null {
  if (typeof value === "string") {
    budget.spend(value.length / 16)
    return codePoints(value)
  }
  if (typeof value !== "object" || value === null) return null
  switch (value.kind) {
    case "list":
      return value.toArray()
    case "tuple":
      return value.items
    case "dict":
      budget.spend(value.size() / 8)
      return value.keys()
    case "set":
      // The first call sorts the items into Python's order.
      budget.spend(2 * value.size())
      return value.toArray()
    case "dict_keys":
    case "dict_values":
    case "dict_items":
      budget.spend(value.dict.size() / 4)
      return viewItems(value)
    case "float":
    case "slice":
    case "range":
    case "stream":
      return null
  }
}

export function viewItems(view: DictView): readonly Value[] {
  const { dict } = view
  switch (view.kind) {
    case "dict_keys":
      return dict.keys()
    case "dict_values":
      return Array.from(dict.keys(), (key) => dict.get(key)!)
    case "dict_items":
      return pairs(dict)
  }
}

export function arrayCursor(items: readonly Value[], budget: StepBudget): Cursor {
  return { next: countTo(items.length, (index) => items[index]!, budget) }
}

function rangeCursor(range: Range, budget: StepBudget): Cursor {
  return { next: countTo(range.length, (index) => range.start + index * range.step, budget) }
}

function countTo(
  length: number,
  itemAt: (index: number) => Value,
  budget: StepBudget,
): () => Value | undefined {
  let index = 0
  return () => {
    if (index >= length) return undefined
    budget.spend(1)
    return itemAt(index++)
  }
}
