import type { StepBudget } from "../limits/step-budget.js"
import { codePoints } from "../characters/code-points.js"
import { pairs } from "./compare.js"
import { raise } from "../limits/condition-failed.js"
import { type Cursor, type DictView, type Range, typeName, type Value } from "../values/values.js"

/** A cursor over anything that Python iterates; TypeError for the rest. Every item costs a step. */
export function iterate(value: Value, budget: StepBudget): Cursor {
  if (typeof value === "object" && value !== null) {
    switch (value.kind) {
      case "stream":
        return value
      case "range":
        return rangeCursor(value, budget)
      case "list":
        return {
          next: countTo(value.length, (index) => value.at(index), budget),
        }
    }
  }
  const items = sequenceItems(value, budget)
  if (items === null) return raise("TypeError", `'${typeName(value)}' object is not iterable`)
  return arrayCursor(items, budget)
}

/** All items at once, paid for, as many as a collection may have. */
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
  // Paid for before it is made, where the length is known.
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

/** The number of items, where it is known without making them. */
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

/** The items of a value that has them at hand; null for streams and for what cannot be iterated. */
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
      // Sorted into Python's order the first time.
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
  at: (index: number) => Value,
  budget: StepBudget,
): () => Value | undefined {
  let index = 0
  return () => {
    if (index >= length) return undefined
    budget.spend(1)
    return at(index++)
  }
}
