/**
 * Python values in JavaScript, chosen so that JSON needs no conversion:
 *
 * - None is null, bool is boolean, str is string;
 * - int is a number that is a safe integer, or a bigint beyond;
 * - float is any other number; a float that happens to be a safe integer (1.0, -0.0), and nan, is a {@link Float},
 *   which also gives nan the identity that `x in [x]` asks for;
 * - containers are objects with a `kind`, which is Python's name of the type.
 *
 * One value has one form: `normalizeInteger` and `floatValue` are the only ways to make a number.
 */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | Float
  | List
  | Tuple
  | Dict
  | SetValue
  | DictView
  | Slice
  | Range
  | Stream

export class Float {
  readonly kind = "float"
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** A list of an expression, or an array of the session state whose items are looked at one by one. */
export interface List {
  readonly kind: "list"
  readonly length: number
  at(index: number): Value
  toArray(): readonly Value[]
}

export class Tuple {
  readonly kind = "tuple"
  readonly items: readonly Value[]

  constructor(items: readonly Value[]) {
    this.items = items
  }
}

/** A dict of an expression, or an object of the session state. Keys must be hashable: see `hashKey`. */
export interface Dict {
  readonly kind: "dict"
  size(): number
  get(key: Value): Value | undefined
  keys(): readonly Value[]
}

export interface SetValue {
  readonly kind: "set"
  size(): number
  has(item: Value): boolean
  toArray(): readonly Value[]
}

export class DictView {
  readonly kind: "dict_keys" | "dict_values" | "dict_items"
  readonly dict: Dict

  constructor(kind: "dict_keys" | "dict_values" | "dict_items", dict: Dict) {
    this.kind = kind
    this.dict = dict
  }
}

/** The parts of `x[a:b:c]`, not yet checked. */
export class Slice {
  readonly kind = "slice"
  readonly lower: Value
  readonly upper: Value
  readonly step: Value

  constructor(lower: Value, upper: Value, step: Value) {
    this.lower = lower
    this.upper = upper
    this.step = step
  }
}

export class Range {
  readonly kind = "range"
  readonly start: number
  readonly step: number
  readonly length: number

  constructor(start: number, stop: number, step: number) {
    this.start = start
    this.step = step
    this.length = Math.max(0, Math.ceil((stop - start) / step))
  }
}

/** A sequence that is consumed once, where it stands: zip, enumerate, reversed and generators. */
export interface Stream extends Cursor {
  readonly kind: "stream"
  readonly typeName: string
}

/** Gives one value after the other, then undefined, which is no Python value. */
export interface Cursor {
  next(): Value | undefined
}

export class ArrayList implements List {
  readonly kind = "list"
  private readonly items: readonly Value[]

  constructor(items: readonly Value[]) {
    this.items = items
  }

  get length(): number {
    return this.items.length
  }

  at(index: number): Value {
    return this.items[index]!
  }

  toArray(): readonly Value[] {
    return this.items
  }
}

/** Python's name of the type of a value. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case "string":
      return "str"
    case "boolean":
      return "bool"
    case "bigint":
      return "int"
    case "number":
      return Number.isSafeInteger(value) ? "int" : "float"
    case "object":
      if (value === null) return "NoneType"
      return value.kind === "stream" ? value.typeName : value.kind
  }
}

export function floatValue(value: number): number | Float {
  return Number.isSafeInteger(value) || Number.isNaN(value) ? new Float(value) : value
}

export function normalizeInteger(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/** An int (bool included) as a number or bigint; undefined for every other type. */
export function integerOf(value: Value): number | bigint | undefined {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? value : undefined
    case "bigint":
      return value
    case "boolean":
      return value ? 1 : 0
    case "string":
    case "object":
      return undefined
  }
}

/** The amount of an int, bool or float; JavaScript compares a bigint with a number exactly, as Python does. */
export function amountOf(value: Value): number | bigint | undefined {
  switch (typeof value) {
    case "number":
    case "bigint":
      return value
    case "boolean":
      return value ? 1 : 0
    case "string":
      return undefined
    case "object":
      return value !== null && value.kind === "float" ? value.value : undefined
  }
}
