import type { StepBudget } from "../limits/step-budget.js"
import { codePoints, hasSurrogates } from "../characters/code-points.js"
import { raise } from "../limits/condition-failed.js"
import { repr } from "./repr.js"
import {
  ArrayList,
  type Dict,
  integerOf,
  type Slice,
  Tuple,
  typeName,
  type Value,
} from "../values/values.js"

/**
 * Returns an item or a slice of a Python value, like Python's `container[index]`. Raises KeyError,
 * IndexError or TypeError like Python.
 */
export function subscript(container: Value, index: Value, budget: StepBudget): Value {
  if (typeof container === "string") return textItem(container, index, budget)
  if (typeof container === "object" && container !== null) {
    switch (container.kind) {
      case "dict":
        return itemOf(container, index, budget)
      case "list":
        if (isSlice(index)) return new ArrayList(slicedItems(container.toArray(), index, budget))
        return container.itemAt(itemIndex(index, container.length, "list"))
      case "tuple":
        if (isSlice(index)) return new Tuple(slicedItems(container.items, index, budget))
        return container.items[itemIndex(index, container.items.length, "tuple")]!
    }
  }
  return raise("TypeError", `'${typeName(container)}' object is not subscriptable`)
}

export function itemOf(dict: Dict, key: Value, budget: StepBudget): Value {
  const value = dict.get(key)
  return value !== undefined ? value : raise("KeyError", repr(key, budget))
}

function textItem(text: string, index: Value, budget: StepBudget): string {
  if (isSlice(index)) return slicedText(text, index, budget)
  if (integerOf(index) === undefined)
    raise("TypeError", `string indices must be integers, not '${typeName(index)}'`)
  budget.read(text)
  if (!hasSurrogates(text)) return text[itemIndex(index, text.length, "string")]!
  budget.spend(text.length / 8)
  const points = codePoints(text)
  return points[itemIndex(index, points.length, "string")]!
}

function slicedText(text: string, slice: Slice, budget: StepBudget): string {
  budget.read(text)
  if (!hasSurrogates(text)) {
    const bounds = sliceBounds(slice, text.length)
    if (bounds.step === 1) return text.substring(bounds.start, bounds.start + bounds.length)
    let result = ""
    for (let count = 0; count < bounds.length; count++)
      result += text[bounds.start + count * bounds.step]
    budget.spend(bounds.length / 16)
    return result
  }
  budget.spend(text.length / 8)
  const points = codePoints(text)
  const bounds = sliceBounds(slice, points.length)
  let result = ""
  for (let count = 0; count < bounds.length; count++)
    result += points[bounds.start + count * bounds.step]
  return result
}

function slicedItems(items: readonly Value[], slice: Slice, budget: StepBudget): Value[] {
  const { start, step, length } = sliceBounds(slice, items.length)
  budget.collection(length)
  budget.spend(length / 8)
  const result: Value[] = []
  for (let count = 0; count < length; count++) result.push(items[start + count * step]!)
  return result
}

function isSlice(index: Value): index is Slice {
  return typeof index === "object" && index?.kind === "slice"
}

function itemIndex(index: Value, length: number, type: "list" | "tuple" | "string"): number {
  const integer = integerOf(index)
  if (integer === undefined)
    return raise("TypeError", `${type} indices must be integers or slices, not ${typeName(index)}`)
  if (integer > 9223372036854775807n || integer < -9223372036854775808n)
    raise("IndexError", "cannot fit 'int' into an index-sized integer")
  const position = Number(integer)
  const fromStart = position < 0 ? position + length : position
  return fromStart >= 0 && fromStart < length
    ? fromStart
    : raise("IndexError", `${type} index out of range`)
}

/**
 * Returns the index of the first item, the step and the number of items of a Python slice. Raises
 * ValueError if the step is zero.
 */
function sliceBounds(
  slice: Slice,
  length: number,
): { readonly start: number; readonly step: number; readonly length: number } {
  const step = slice.step === null ? 1 : slicePart(slice.step)
  if (step === 0) raise("ValueError", "slice step cannot be zero")
  const lowest = step < 0 ? -1 : 0
  const highest = step < 0 ? length - 1 : length
  const start = sliceEnd(slice.lower, length, lowest, highest, step < 0 ? highest : lowest)
  const stop = sliceEnd(slice.upper, length, lowest, highest, step < 0 ? lowest : highest)
  return { start, step, length: Math.max(0, Math.ceil((stop - start) / step)) }
}

function sliceEnd(
  part: Value,
  length: number,
  lowest: number,
  highest: number,
  otherwise: number,
): number {
  if (part === null) return otherwise
  const position = slicePart(part)
  return Math.min(highest, Math.max(lowest, position < 0 ? position + length : position))
}

function slicePart(part: Value): number {
  const integer = integerOf(part)
  if (integer === undefined)
    return raise("TypeError", "slice indices must be integers or None or have an __index__ method")
  return Number(integer)
}

/**
 * Converts the start and end arguments of `text.find(part, start, end)` and similar methods to
 * indexes. Negative numbers count from the end of the text. An end beyond the text is clamped to
 * its length.
 */
export function searchBounds(
  length: number,
  start: Value | undefined,
  end: Value | undefined,
): { readonly start: number; readonly end: number } {
  const from = start === undefined || start === null ? 0 : slicePart(start)
  const to = end === undefined || end === null ? length : slicePart(end)
  return {
    start: from < 0 ? Math.max(0, from + length) : from,
    end: to < 0 ? Math.max(0, to + length) : Math.min(to, length),
  }
}
