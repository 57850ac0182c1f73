import type { StepBudget } from "../limits/step-budget.js"
import { hasPair, sameOrEqual } from "../collections/compare.js"
import { raise } from "../limits/condition-failed.js"
import { iterate } from "../collections/iterate.js"
import { findUnit } from "./string-search.js"
import { amountOf, type Range, typeName, type Value } from "../values/values.js"

/**
 * Returns whether a Python container contains an item, like Python's `in`. Raises TypeError if
 * `container` is not a container.
 */
export function contains(container: Value, item: Value, budget: StepBudget): boolean {
  if (typeof container === "string") {
    if (typeof item !== "string")
      raise("TypeError", `'in <string>' requires string as left operand, not ${typeName(item)}`)
    return findUnit(container, item, 0, budget) >= 0
  }
  if (typeof container === "object" && container !== null) {
    switch (container.kind) {
      case "dict":
        payForTuple(item, budget)
        return container.get(item) !== undefined
      case "dict_keys":
        return container.dict.get(item) !== undefined
      case "dict_items":
        return hasPair(container.dict, item, budget)
      case "set":
        payForTuple(item, budget)
        // In Python, this searches for a frozenset, which sets of this language never contain.
        return !(typeof item === "object" && item?.kind === "set") && container.has(item)
      case "range":
        return rangeContains(container, item)
      case "list":
      case "tuple":
      case "dict_values":
      case "stream":
        return search(container, item, budget)
      case "float":
      case "slice":
        break
    }
  }
  return raise("TypeError", `argument of type '${typeName(container)}' is not iterable`)
}

/**
 * Charges the steps to hash a tuple, which reads all of its items. Charges nothing for other
 * values.
 */
function payForTuple(item: Value, budget: StepBudget): void {
  if (typeof item === "object" && item?.kind === "tuple") budget.spend(item.items.length)
}

function search(container: Value, item: Value, budget: StepBudget): boolean {
  const cursor = iterate(container, budget)
  for (let candidate = cursor.next(); candidate !== undefined; candidate = cursor.next()) {
    if (sameOrEqual(candidate, item, budget)) return true
  }
  return false
}

function rangeContains(range: Range, item: Value): boolean {
  const amount = Number(amountOf(item) ?? Number.NaN)
  const index = (amount - range.start) / range.step
  return (
    Number.isSafeInteger(amount) && Number.isInteger(index) && index >= 0 && index < range.length
  )
}
