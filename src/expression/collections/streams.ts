import { type CallArguments, argument, expectCount, indexArgument } from "./call-arguments.js"
import { raise } from "../limits/condition-failed.js"
import { addIntegers } from "../numbers/integer-arithmetic.js"
import { arrayCursor, collect, iterate } from "./iterate.js"
import { truthy } from "./truth.js"
import { integerOf, Range, type Stream, Tuple, typeName, type Value } from "../values/values.js"

export function enumerate(args: CallArguments): Stream {
  expectCount("enumerate", args, 1, 2)
  const source = iterate(args.positional[0], args.budget)
  const given = argument("enumerate", args, 1, "start")
  const start = given === undefined ? 0 : given
  const first = integerOf(start)
  if (first === undefined)
    return raise("TypeError", `'${typeName(start)}' object cannot be interpreted as an integer`)
  let index = first
  return stream("enumerate", () => {
    const item = source.next()
    if (item === undefined) return undefined
    const pair = new Tuple([index, item])
    index = addIntegers(index, 1, args.budget)
    return pair
  })
}

export function zip(args: CallArguments): Stream {
  const sources = Array.from(args.positional, (source) => iterate(source, args.budget))
  return stream("zip", () => {
    const items: Value[] = []
    for (const source of sources) {
      const item = source.next()
      if (item === undefined) return undefined
      items.push(item)
    }
    return items.length === 0 ? undefined : new Tuple(items)
  })
}

export function map({ positional, keyFunction, budget }: CallArguments): Stream {
  const source = iterate(positional[0]!, budget)
  return stream("map", () => {
    const item = source.next()
    return item === undefined || keyFunction === undefined ? item : keyFunction(item)
  })
}

export function filter({ positional, keyFunction, budget }: CallArguments): Stream {
  const source = iterate(positional[0]!, budget)
  return stream("filter", () => {
    for (let item = source.next(); item !== undefined; item = source.next())
      if (truthy(keyFunction === undefined ? item : keyFunction(item))) return item
    return undefined
  })
}

export function reversed(args: CallArguments): Stream {
  expectCount("reversed", args, 1, 1)
  const source = args.positional[0]
  const name = reversedName(source)
  if (name === null) return raise("TypeError", `'${typeName(source)}' object is not reversible`)
  if (typeof source === "object" && source?.kind === "range") {
    const { start, step, length } = source
    const cursor = iterate(new Range(start + (length - 1) * step, start - step, -step), args.budget)
    return stream(name, () => cursor.next())
  }
  const items = collect(source, args.budget)
  const cursor = arrayCursor(Array.from(items).reverse(), args.budget)
  return stream(name, () => cursor.next())
}

/**
 * Returns Python's type name of the result of `reversed(value)`, such as `list_reverseiterator`.
 * Returns null if the value cannot be reversed.
 */
function reversedName(value: Value): string | null {
  if (typeof value === "string") return "reversed"
  if (typeof value !== "object" || value === null) return null
  switch (value.kind) {
    case "list":
      return "list_reverseiterator"
    case "tuple":
      return "reversed"
    case "range":
      return "range_iterator"
    case "dict":
    case "dict_keys":
      return "dict_reversekeyiterator"
    case "dict_values":
      return "dict_reversevalueiterator"
    case "dict_items":
      return "dict_reverseitemiterator"
  }
  return null
}

export function range(args: CallArguments): Range {
  expectCount("range", args, 1, 3)
  const [first, second, third] = args.positional
  const start = second === undefined ? 0 : indexArgument(first)
  const stop = indexArgument(second === undefined ? first : second)
  const step = third === undefined ? 1 : indexArgument(third)
  if (step === 0) raise("ValueError", "range() arg 3 must not be zero")
  return new Range(start, stop, step)
}

export function stream(name: string, next: () => Value | undefined): Stream {
  return { kind: "stream", typeName: name, next }
}
