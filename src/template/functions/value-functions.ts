import {
  predicate,
  type ChargedFunction,
  deep,
  linear,
  lengthOf,
  charged,
} from "./charged-function.js"
import { distinct } from "./distinct.js"
import { type Callback, chargedCallback } from "./function-costs.js"
import { sortList } from "./sort-list.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/**
 * JSONata's functions for numbers, lists, objects and functions, by name. They return the same
 * results as JSONata's own functions, and charge their work to a meter that limits templates.
 */
export const valueFunctions: Readonly<Record<string, ChargedFunction>> = {
  sum: charged("<a<n>:n>", 1, linear()),
  count: charged("<a:n>", 1, linear()),
  max: charged("<a<n>:n>", 1, linear()),
  min: charged("<a<n>:n>", 1, linear()),
  average: charged("<a<n>:n>", 1, linear()),
  number: charged("<(nsb)-:n>", 1, linear(1 / 64)),
  floor: charged("<n-:n>", 1, linear()),
  ceil: charged("<n-:n>", 1, linear()),
  round: charged("<n-n?:n>", 2, linear()),
  abs: charged("<n-:n>", 1, linear()),
  sqrt: charged("<n-:n>", 1, linear()),
  power: charged("<n-n:n>", 2, linear()),
  boolean: charged("<x-:b>", 1, deep),
  not: charged("<x-:b>", 1, deep),
  map: charged("<af>", 2, linear(1 / 8)),
  zip: charged("<a+>", 0, linear()),
  filter: charged("<af>", 2, predicate),
  single: charged("<af?>", 2, predicate),
  reduce: charged("<afj?:j>", 3, linear(1 / 8)),
  sift: charged("<o-f?:o>", 2, (meter, [object, callback], native) => {
    meter.spend(Object.keys(object ?? {}).length / 4)
    return native(object, chargedCallback(callback as Callback | undefined, meter))
  }),
  keys: charged("<x-:a<s>>", 1, (meter, [value], native) => {
    spendKeys(value, meter, 1 / 4)
    return native(value)
  }),
  lookup: charged("<x-s:x>", 2, (meter, [value, key], native) => {
    if (Array.isArray(value)) meter.walk(value)
    return native(value, key)
  }),
  append: charged("<xx:a>", 2, linear(1 / 16)),
  exists: charged("<x:b>", 1, linear(0)),
  // For each entry, JSONata copies the results of all previous entries, which takes quadratic time.
  spread: charged("<x-:a<o>>", 1, (meter, [value], native) => {
    spendKeys(value, meter, 1)
    meter.spend(lengthOf(value) * 8)
    return native(value)
  }),
  merge: charged("<a<o>:o>", 1, (meter, [value], native) => {
    spendKeys(value, meter, 1 / 4)
    return native(value)
  }),
  reverse: charged("<a:a>", 1, linear()),
  each: charged("<o-f:a>", 2, (meter, [object, callback], native) => {
    meter.spend(Object.keys(object ?? {}).length / 4)
    return native(object, callback)
  }),
  error: charged("<s?:x>", 1, linear(1 / 64)),
  assert: charged("<bs?:x>", 2, linear(1 / 64)),
  type: charged("<x:s>", 1, linear(0)),
  sort: charged("<af?:a>", 2, (meter, [list, comparator], native) => {
    // For a list that cannot be sorted, call JSONata's own function, which throws its usual error.
    const sortable = Array.isArray(list) && (comparator !== undefined || isPlainList(list))
    return sortable ? sortList(list, comparator as Callback | undefined, meter) : native(list)
  }),
  shuffle: charged("<a:a>", 1, linear(1 / 8)),
  distinct: charged("<x:x>", 1, (meter, [value], native) =>
    Array.isArray(value) ? distinct(value, meter) : native(value),
  ),
  clone: charged("<(oa)-:o>", 1, deep),
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
