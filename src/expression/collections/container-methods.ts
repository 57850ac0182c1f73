import { type CallArguments, expectCount, indexArgument } from "./call-arguments.js"
import { sameOrEqual } from "./compare.js"
import { raise } from "../limits/condition-failed.js"
import { makeSet } from "./hash-tables.js"
import { collect, iterate } from "./iterate.js"
import { repr } from "./repr.js"
import {
  differenceOf,
  intersectionOf,
  setOf,
  symmetricDifferenceOf,
  unionOf,
} from "./set-operations.js"
import { type Dict, DictView, type SetValue, type Value } from "../values/values.js"

type Method<Self> = (self: Self, args: CallArguments) => Value

export const dictMethods: ReadonlyMap<string, Method<Dict>> = new Map<string, Method<Dict>>([
  [
    "get",
    (dict, args) => {
      expectCount("get", args, 1, 2)
      const value = dict.get(args.positional[0])
      return value === undefined ? (args.positional[1] ?? null) : value
    },
  ],
  ["keys", (dict, args) => view("keys", dict, args)],
  ["values", (dict, args) => view("values", dict, args)],
  ["items", (dict, args) => view("items", dict, args)],
])

function view(name: "keys" | "values" | "items", dict: Dict, args: CallArguments): DictView {
  expectCount(`dict.${name}`, args, 0, 0)
  return new DictView(`dict_${name}`, dict)
}

/**
 * Returns the implementation of the method `index` or `count` of lists and tuples. Returns
 * undefined for other names.
 */
export function sequenceMethod(
  type: "list" | "tuple",
  name: string,
): Method<readonly Value[]> | undefined {
  switch (name) {
    case "index":
      return (items, args) => indexOf(type, items, args)
    case "count":
      return (items, args) => {
        expectCount(`${type}.count`, args, 1, 1)
        let total = 0
        for (const item of items) {
          args.budget.spend(1)
          if (sameOrEqual(item, args.positional[0], args.budget)) total++
        }
        return total
      }
  }
  return undefined
}

function indexOf(type: "list" | "tuple", items: readonly Value[], args: CallArguments): number {
  expectCount("index", args, 1, 3)
  const [item, start, end] = args.positional
  const from = start === undefined ? 0 : bound(start, items.length)
  const to = end === undefined ? items.length : Math.min(items.length, bound(end, items.length))
  for (let index = from; index < to; index++) {
    args.budget.spend(1)
    if (sameOrEqual(items[index]!, item, args.budget)) return index
  }
  return raise(
    "ValueError",
    type === "tuple"
      ? "tuple.index(x): x not in tuple"
      : `${repr(item, args.budget)} is not in list`,
  )
}

/**
 * Converts the start or end argument of the method `index` to an index in the sequence. None is not
 * allowed, unlike in a slice.
 */
function bound(value: Value, length: number): number {
  if (value === null || typeof value === "string")
    raise("TypeError", "slice indices must be integers or have an __index__ method")
  const position = indexArgument(value)
  return position < 0 ? Math.max(0, position + length) : position
}

export const setMethods: ReadonlyMap<string, Method<SetValue>> = new Map<string, Method<SetValue>>([
  ["union", folded(unionOf)],
  ["intersection", folded(intersectionOf)],
  ["difference", folded(differenceOf)],
  [
    "symmetric_difference",
    (set, args) => {
      expectCount("set.symmetric_difference", args, 1, 1)
      return symmetricDifferenceOf(set, args.positional[0], args.budget)
    },
  ],
  [
    "issubset",
    (set, args) => {
      expectCount("set.issubset", args, 1, 1)
      const other = makeSet(collect(args.positional[0], args.budget), args.budget)
      return collect(set, args.budget).every((item) => other.has(item))
    },
  ],
  [
    "issuperset",
    (set, args) => {
      expectCount("set.issuperset", args, 1, 1)
      const cursor = iterate(args.positional[0], args.budget)
      for (let item = cursor.next(); item !== undefined; item = cursor.next())
        if (!set.has(item)) return false
      return true
    },
  ],
  ["isdisjoint", (set, args) => disjoint("set.isdisjoint", (item) => set.has(item), args)],
])

/**
 * Creates a set method, such as `union`, that accepts any number of collections. It applies
 * `operation` to the set and the first collection, then to the result and the next collection, and
 * so on.
 */
function folded(operation: typeof unionOf): Method<SetValue> {
  return (set, args) => {
    let result: Value = args.positional.length === 0 ? setOf(set, args.budget) : set
    for (const other of args.positional) result = operation(result, other, args.budget)
    return result
  }
}

export const viewMethods: ReadonlyMap<string, Method<SetValue>> = new Map<string, Method<SetValue>>(
  [["isdisjoint", (keys, args) => disjoint("isdisjoint", (item) => keys.has(item), args)]],
)

function disjoint(name: string, has: (item: Value) => boolean, args: CallArguments): boolean {
  expectCount(name, args, 1, 1)
  const cursor = iterate(args.positional[0], args.budget)
  for (let item = cursor.next(); item !== undefined; item = cursor.next())
    if (has(item)) return false
  return true
}
