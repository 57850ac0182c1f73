import { asking, type ChargedFunction, deep, flat, lengthOf, one } from "./charged-function.js"
import { distinct } from "./distinct.js"
import { type Callback, chargedCallback } from "./function-costs.js"
import { sortList } from "./sort-list.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/**
 * JSONata's functions for numbers, lists, objects and functions. They charge their work and return
 * the same results.
 */
export const valueFunctions: Readonly<Record<string, ChargedFunction>> = {
  sum: one("<a<n>:n>", 1, flat()),
  count: one("<a:n>", 1, flat()),
  max: one("<a<n>:n>", 1, flat()),
  min: one("<a<n>:n>", 1, flat()),
  average: one("<a<n>:n>", 1, flat()),
  number: one("<(nsb)-:n>", 1, flat(1 / 64)),
  floor: one("<n-:n>", 1, flat()),
  ceil: one("<n-:n>", 1, flat()),
  round: one("<n-n?:n>", 2, flat()),
  abs: one("<n-:n>", 1, flat()),
  sqrt: one("<n-:n>", 1, flat()),
  power: one("<n-n:n>", 2, flat()),
  boolean: one("<x-:b>", 1, deep),
  not: one("<x-:b>", 1, deep),
  map: one("<af>", 2, flat(1 / 8)),
  zip: one("<a+>", 0, flat()),
  filter: one("<af>", 2, asking),
  single: one("<af?>", 2, asking),
  reduce: one("<afj?:j>", 3, flat(1 / 8)),
  sift: one("<o-f?:o>", 2, (meter, [object, callback], native) => {
    meter.spend(Object.keys(object ?? {}).length / 4)
    return native(object, chargedCallback(callback as Callback | undefined, meter))
  }),
  keys: one("<x-:a<s>>", 1, (meter, [value], native) => {
    spendKeys(value, meter, 1 / 4)
    return native(value)
  }),
  lookup: one("<x-s:x>", 2, (meter, [value, key], native) => {
    if (Array.isArray(value)) meter.walk(value)
    return native(value, key)
  }),
  append: one("<xx:a>", 2, flat(1 / 16)),
  exists: one("<x:b>", 1, flat(0)),
  // JSONata copies the result so far for each entry.
  spread: one("<x-:a<o>>", 1, (meter, [value], native) => {
    spendKeys(value, meter, 1)
    meter.spend(lengthOf(value) * 8)
    return native(value)
  }),
  merge: one("<a<o>:o>", 1, (meter, [value], native) => {
    spendKeys(value, meter, 1 / 4)
    return native(value)
  }),
  reverse: one("<a:a>", 1, flat()),
  each: one("<o-f:a>", 2, (meter, [object, callback], native) => {
    meter.spend(Object.keys(object ?? {}).length / 4)
    return native(object, callback)
  }),
  error: one("<s?:x>", 1, flat(1 / 64)),
  assert: one("<bs?:x>", 2, flat(1 / 64)),
  type: one("<x:s>", 1, flat(0)),
  sort: one("<af?:a>", 2, (meter, [list, comparator], native) => {
    // JSONata rejects other lists with an error of its own.
    const sortable = Array.isArray(list) && (comparator !== undefined || isPlainList(list))
    return sortable ? sortList(list, comparator as Callback | undefined, meter) : native(list)
  }),
  shuffle: one("<a:a>", 1, flat(1 / 8)),
  distinct: one("<x:x>", 1, (meter, [value], native) =>
    Array.isArray(value) ? distinct(value, meter) : native(value),
  ),
  clone: one("<(oa)-:o>", 1, deep),
}

function spendKeys(value: unknown, meter: TemplateMeter, each: number): void {
  if (Array.isArray(value)) {
    meter.spend(value.length / 8)
    for (const entry of value) spendKeys(entry, meter, each)
  } else if (typeof value === "object" && value !== null) {
    meter.spend(Object.keys(value).length * each)
  }
}

const isPlainList = (list: readonly unknown[]): boolean =>
  list.every((entry) => typeof entry === "number") ||
  list.every((entry) => typeof entry === "string")
