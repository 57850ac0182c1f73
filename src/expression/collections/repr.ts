import type { StepBudget } from "../limits/step-budget.js"
import { viewItems } from "./iterate.js"
import { decimalText } from "../numbers/integer-text.js"
import { floatText } from "../numbers/float-text.js"
import { textRepr } from "../characters/text-repr.js"
import type { Value } from "../values/values.js"

/**
 * Returns Python's `repr` of a value. If `sortedSets` is true, the items of sets are sorted by
 * their repr, so that the result is the same in every process.
 */
export function repr(value: Value, budget: StepBudget, sortedSets = false): string {
  switch (typeof value) {
    case "string":
      budget.read(value)
      return budget.text(textRepr(value))
    case "boolean":
      return value ? "True" : "False"
    case "bigint":
      return decimalText(value, budget)
    case "number":
      if (Number.isSafeInteger(value)) return String(value)
      budget.spend(2)
      return floatText(value)
    case "object":
      return value === null ? "None" : containerRepr(value, budget, sortedSets)
  }
}

/**
 * Converts a value to text like Python's `str`. Returns a string unchanged, and the repr of every
 * other value.
 */
export function textOf(value: Value, budget: StepBudget): string {
  return typeof value === "string" ? value : repr(value, budget)
}

function containerRepr(value: Value & object, budget: StepBudget, sortedSets: boolean): string {
  switch (value.kind) {
    case "float":
      return floatText(value.value)
    case "list":
      return `[${join(value.toArray(), budget, sortedSets)}]`
    case "tuple":
      return `(${join(value.items, budget, sortedSets)}${value.items.length === 1 ? ",)" : ")"}`
    case "dict": {
      const parts = new Joined(budget)
      for (const key of value.keys())
        parts.add(`${repr(key, budget, sortedSets)}: ${repr(value.get(key)!, budget, sortedSets)}`)
      return `{${parts.text}}`
    }
    case "set": {
      const items = value.toArray()
      if (items.length === 0) return "set()"
      if (!sortedSets) return `{${join(items, budget, false)}}`
      const parts = new Joined(budget)
      for (const part of Array.from(items, (item) => repr(item, budget, true)).sort(byCodePoints))
        parts.add(part)
      return `{${parts.text}}`
    }
    case "dict_keys":
    case "dict_values":
    case "dict_items":
      return `${value.kind}([${join(viewItems(value), budget, sortedSets)}])`
    case "slice":
      return `slice(${join([value.lower, value.upper, value.step], budget, sortedSets)})`
    case "range":
      return `range(${value.start}, ${value.start + value.length * value.step})`
    case "stream":
      return `<${value.typeName} object>`
  }
}

function join(items: readonly Value[], budget: StepBudget, sortedSets: boolean): string {
  const parts = new Joined(budget)
  for (const item of items) parts.add(repr(item, budget, sortedSets))
  return parts.text
}

/**
 * Joins the texts of a container's items with commas. Throws as soon as the result exceeds the
 * maximum length of a text, because a container can contain the same long string thousands of
 * times.
 */
class Joined {
  text = ""
  private readonly budget: StepBudget

  constructor(budget: StepBudget) {
    this.budget = budget
  }

  add(part: string): void {
    this.budget.spend(1)
    this.text += this.text === "" ? part : `, ${part}`
    this.budget.plannedText(this.text.length)
  }
}

function byCodePoints(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
