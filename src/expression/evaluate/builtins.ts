import {
  type CallArguments,
  expectCount,
  flagArgument,
  type PassedArguments,
} from "../collections/call-arguments.js"
import { add } from "../operators/arithmetic.js"
import { codePointLength } from "../characters/code-points.js"
import { inOrder } from "../collections/compare.js"
import { raise } from "../limits/condition-failed.js"
import { toFloatValue, toInteger } from "../operators/convert-number.js"
import { HashDict } from "../collections/hash-tables.js"
import { collect, iterate } from "../collections/iterate.js"
import { textOf } from "../collections/repr.js"
import { round } from "../operators/round.js"
import { setOf } from "../collections/set-operations.js"
import { sortValues } from "../collections/sort.js"
import { enumerate, filter, map, range, reversed, zip } from "../collections/streams.js"
import { truthy } from "../collections/truth.js"
import {
  amountOf,
  ArrayList,
  floatValue,
  integerOf,
  Tuple,
  typeName,
  type Value,
} from "../values/values.js"

type Builtin = (args: CallArguments) => Value

/**
 * The Python builtin functions that conditions can call, by name. Only `isinstance` is missing,
 * because its second argument is a type. The compiler handles its calls separately.
 */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["abs", absolute],
  ["all", (args) => quantified("all", false, args)],
  ["any", (args) => quantified("any", true, args)],
  [
    "bool",
    (args) => (
      expectCount("bool", args, 0, 1),
      args.positional[0] !== undefined && truthy(args.positional[0])
    ),
  ],
  ["dict", toDict],
  ["enumerate", enumerate],
  ["filter", filter],
  ["float", toFloatValue],
  ["int", toInteger],
  ["len", (args) => (expectCount("len", args, 1, 1), lengthOf(args))],
  ["list", (args) => new ArrayList(items("list", args))],
  ["map", map],
  ["max", (args) => extreme("max", args)],
  ["min", (args) => extreme("min", args)],
  ["next", next],
  ["range", range],
  ["reversed", reversed],
  ["round", round],
  [
    "set",
    (args) => (
      expectCount("set", args, 0, 1),
      setOf(args.positional[0] === undefined ? new Tuple([]) : args.positional[0], args.budget)
    ),
  ],
  ["sorted", sorted],
  ["str", toText],
  ["sum", sum],
  ["tuple", (args) => new Tuple(items("tuple", args))],
  ["zip", zip],
])

function items(name: string, args: CallArguments): readonly Value[] {
  expectCount(name, args, 0, 1)
  return args.positional[0] === undefined ? [] : collect(args.positional[0], args.budget)
}

function absolute(args: CallArguments): Value {
  expectCount("abs", args, 1, 1)
  const value = args.positional[0]
  const integer = integerOf(value)
  if (integer !== undefined) return integer < 0 ? -integer : integer
  const amount = amountOf(value)
  return amount === undefined
    ? raise("TypeError", `bad operand type for abs(): '${typeName(value)}'`)
    : floatValue(Math.abs(Number(amount)))
}

function quantified(name: string, decisive: boolean, args: CallArguments): boolean {
  expectCount(name, args, 1, 1)
  const cursor = iterate(args.positional[0], args.budget)
  for (let item = cursor.next(); item !== undefined; item = cursor.next())
    if (truthy(item) === decisive) return decisive
  return !decisive
}

function toDict(args: CallArguments): Value {
  expectCount("dict", args, 0, 1)
  const source = args.positional[0]
  const dict = new HashDict()
  if (source !== undefined) fillDict(dict, source, args)
  for (const [name, value] of args.keywords) dict.set(name, value, args.budget)
  return dict
}

function fillDict(dict: HashDict, source: Value, args: CallArguments): void {
  if (typeof source === "object" && source?.kind === "dict") {
    for (const key of collect(source, args.budget)) dict.set(key, source.get(key)!, args.budget)
    return
  }
  const cursor = iterate(source, args.budget)
  let index = 0
  for (let item = cursor.next(); item !== undefined; item = cursor.next(), index++) {
    const pair = pairItems(item, index, args)
    if (pair.length !== 2)
      raise(
        "ValueError",
        `dictionary update sequence element #${index} has length ${pair.length}; 2 is required`,
      )
    dict.set(pair[0]!, pair[1]!, args.budget)
  }
}

function pairItems(item: Value, index: number, args: CallArguments): readonly Value[] {
  const hasItems =
    typeof item === "string" || (typeof item === "object" && item !== null && item.kind !== "float")
  return hasItems
    ? collect(item, args.budget)
    : raise(
        "TypeError",
        `cannot convert dictionary update sequence element #${index} to a sequence`,
      )
}

function lengthOf(args: PassedArguments): number {
  const value = args.positional[0]
  if (typeof value === "string") {
    args.budget.read(value)
    return codePointLength(value)
  }
  if (typeof value === "object" && value !== null) {
    switch (value.kind) {
      case "list":
      case "range":
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
  }
  return raise("TypeError", `object of type '${typeName(value)}' has no len()`)
}

function extreme(name: "max" | "min", args: CallArguments): Value {
  const { positional, keywords, budget } = args
  const fallback = keywords.get("default")
  const [first, second] = positional
  if (first === undefined) return raise("TypeError", `${name} expected at least 1 argument, got 0`)
  if (second !== undefined && fallback !== undefined) {
    raise("TypeError", `Cannot specify a default for ${name}() with multiple positional arguments`)
  }
  const cursor = iterate(second === undefined ? first : new ArrayList(positional), budget)
  const keyOf = args.keyFunction ?? null
  const order = name === "max" ? ">" : "<"
  let best: Value | undefined
  let bestKey: Value = null
  for (let item = cursor.next(); item !== undefined; item = cursor.next()) {
    const key = keyOf === null ? item : keyOf(item)
    if (best === undefined || inOrder(order, key, bestKey, budget)) {
      best = item
      bestKey = key
    }
  }
  if (best !== undefined) return best
  return fallback !== undefined
    ? fallback
    : raise("ValueError", `${name}() arg is an empty sequence`)
}

export const noKeywords: ReadonlyMap<string, Value> = new Map()

function next(args: CallArguments): Value {
  const [source, fallback] = args.positional
  const item = iterate(source!, args.budget).next()
  if (item !== undefined) return item
  return fallback !== undefined ? fallback : raise("StopIteration", "")
}

function sorted(args: CallArguments): Value {
  expectCount("sorted", args, 1, 1)
  const values = collect(args.positional[0], args.budget)
  const reverse = args.keywords.get("reverse")
  return new ArrayList(
    sortValues(
      values,
      args.keyFunction ?? null,
      reverse !== undefined && flagArgument(reverse),
      args.budget,
    ),
  )
}

function toText(args: CallArguments): Value {
  expectCount("str", args, 0, 3)
  const [value, encoding] = args.positional
  if (value === undefined) return ""
  if (encoding === undefined) return textOf(value, args.budget)
  if (typeof encoding !== "string")
    raise("TypeError", `str() argument 'encoding' must be str, not ${typeName(encoding)}`)
  if (typeof value === "string") raise("TypeError", "decoding str is not supported")
  return raise("TypeError", `decoding to str: need a bytes-like object, ${typeName(value)} found`)
}

function sum(args: CallArguments): Value {
  expectCount("sum", args, 1, 2)
  const cursor = iterate(args.positional[0], args.budget)
  const start = args.positional.length > 1 ? args.positional[1] : args.keywords.get("start")
  let total = start === undefined ? 0 : start
  if (typeof total === "string")
    raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
  for (let item = cursor.next(); item !== undefined; item = cursor.next())
    total = add(total, item, args.budget)
  return total
}
