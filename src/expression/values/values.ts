/**
 * A Python value in its JavaScript representation. The representation is chosen so that JSON values
 * need no conversion.
 *
 * - None is null, bool is boolean, str is string.
 * - int is a number if it is a safe integer, otherwise a bigint.
 * - float is a number. Only nan and safe integers (1.0, -0.0) are `Float` objects. As an object,
 *   nan has an identity, which Python's `x in [x]` requires.
 * - Containers are objects whose `kind` is Python's type name.
 *
 * Every number has exactly one representation, which `normalizeInteger` and `floatValue` create.
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

/**
 * A Python list. It is either created by a condition, or it is an array of the session state whose
 * items are converted when they are read.
 */
export interface List {
  readonly kind: "list"
  readonly length: number
  /**
   * The array in the session state that this list represents. Absent if the condition itself
   * created the list, for example with `sorted`.
   */
  readonly host?: readonly unknown[]
  itemAt(index: number): Value
  toArray(): readonly Value[]
}

export class Tuple {
  readonly kind = "tuple"
  readonly items: readonly Value[]

  constructor(items: readonly Value[]) {
    this.items = items
  }
}

/**
 * A Python dict. It is either created by a condition, or it is an object of the session state. Keys
 * must be hashable, which `hashKey` checks.
 */
export interface Dict {
  readonly kind: "dict"
  /**
   * The object in the session state that this dict represents. Absent if the condition itself
   * created the dict.
   */
  readonly host?: object
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

/**
 * A Python slice, such as `a:b:c` in `x[a:b:c]`. The types of its start, end and step are not
 * checked yet.
 */
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

/**
 * A Python iterator that can be consumed only once, such as the result of `zip`, `enumerate`,
 * `reversed` or a generator.
 */
export interface Stream extends Cursor {
  readonly kind: "stream"
  readonly typeName: string
}

/**
 * An iterator over Python values. `next` returns undefined at the end, because undefined is not a
 * Python value.
 */
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

  itemAt(index: number): Value {
    return this.items[index]!
  }

  toArray(): readonly Value[] {
    return this.items
  }
}

/** Returns Python's name for the type of a value, such as "str" or "NoneType". */
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

/**
 * Returns the value of a Python int or bool as a number or bigint. Returns undefined for other
 * types.
 */
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

/**
 * Returns the numeric value of a Python int, bool or float. Returns undefined for other types.
 * JavaScript compares a bigint and a number exactly, as Python does.
 */
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
