import type jsonata from "jsonata"
import { distinct } from "./distinct.js"
import { type FunctionFocus, type NativeFunction, nativeFunctions } from "./native-functions.js"
import { sortList } from "./sort-list.js"
import { TemplateFailed } from "./template-errors.js"
import { type TemplateMeter, tooLarge } from "./template-meter.js"
import {
  type Callback,
  chargedCallback,
  checkPicture,
  depthOf,
  matchesCharged,
  repeated,
} from "./function-costs.js"

/** Calls JSONata's own function with these arguments. */
type Native = (...args: unknown[]) => unknown
type Charged = (meter: TemplateMeter, args: readonly unknown[], native: Native) => unknown

interface ChargedFunction {
  readonly signature: string
  readonly arity: 0 | 1 | "1 or 2" | 2 | 3 | 4
  readonly call: Charged
}

const lengthOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : 0

/** Work that follows the lengths of texts and lists, as most functions have. */
const flat =
  (each = 1 / 16): Charged =>
  (meter, args, native) => {
    for (const arg of args) meter.spend(lengthOf(arg) * each)
    return native(...args)
  }

/** Work on everything inside of the arguments. */
const deep: Charged = (meter, args, native) => {
  for (const arg of args) meter.walk(arg, 2)
  return native(...args)
}

/** Calls back for each entry and takes the answer as true or false. */
const asking: Charged = (meter, [list, callback, ...rest], native) => {
  meter.spend(lengthOf(list) / 8)
  return native(list, chargedCallback(callback as Callback | undefined, meter), ...rest)
}

/** Texts that describe a format; JSONata reads them in ways that no longer text of sense needs. */
const formatted =
  (longest: number): Charged =>
  (meter, args, native) => {
    meter.spend(50)
    for (const arg of args) {
      if (typeof arg === "string") checkPicture(arg, longest)
      else meter.walk(arg, 8)
    }
    return native(...args)
  }

const one = (
  signature: string,
  arity: ChargedFunction["arity"],
  call: Charged,
): ChargedFunction => ({
  signature,
  arity,
  call,
})

/** Every built-in function of JSONata; each means the same as before. */
const functions: Readonly<Record<string, ChargedFunction>> = {
  sum: one("<a<n>:n>", 1, flat()),
  count: one("<a:n>", 1, flat()),
  max: one("<a<n>:n>", 1, flat()),
  min: one("<a<n>:n>", 1, flat()),
  average: one("<a<n>:n>", 1, flat()),
  string: one("<x-b?:s>", "1 or 2", (meter, [value, prettify], native) => {
    meter.walk(value, 2)
    if (prettify === true && typeof value === "object") {
      const size = meter.sizeOf(value) * 2 * depthOf(value, meter)
      if (size > meter.limits.size) throw tooLarge(`a text of about ${size} characters`)
      meter.spend(size / 64)
    }
    return native(value, prettify ?? false)
  }),
  substring: one("<s-nn?:s>", 3, flat()),
  substringBefore: one("<s-s:s>", 2, flat(1 / 256)),
  substringAfter: one("<s-s:s>", 2, flat(1 / 256)),
  lowercase: one("<s-:s>", 1, flat(1 / 64)),
  uppercase: one("<s-:s>", 1, flat(1 / 64)),
  length: one("<s-:n>", 1, flat()),
  trim: one("<s-:s>", 1, flat(1 / 32)),
  pad: one("<s-ns?:s>", 3, (meter, [text, width, char], native) => {
    const wanted = Math.abs(Math.trunc(Number(width)))
    if (wanted > meter.limits.size) throw tooLarge(`a text of ${wanted} characters`)
    meter.spend((lengthOf(text) + wanted) / 16)
    // JSONata repeats the whole of `char` for each missing character.
    const fill = lengthOf(char)
    if (wanted * fill > meter.limits.size) throw tooLarge(`a text of ${wanted * fill} characters`)
    meter.spend((wanted * fill) / 16)
    return native(text, width, char)
  }),
  match: one("<s-f<s:o>n?:a<o>>", 3, (meter, [text, pattern, limit], native) => {
    meter.spend(lengthOf(text) / 64)
    return native(text, matchesCharged(pattern, 0, meter), limit)
  }),
  contains: one("<s-(sf):b>", 2, flat(1 / 64)),
  replace: one("<s-(sf)(sf)n?:s>", 4, (meter, [text, pattern, replacement, limit], native) => {
    if (typeof text !== "string") return native(text, pattern, replacement, limit)
    const length = lengthOf(replacement)
    if (typeof pattern === "string") {
      const times = pattern === "" ? 0 : repeated(text, pattern)
      const size = text.length + times * length
      if (size > meter.limits.size) throw tooLarge(`a text of ${size} characters`)
      meter.spend(text.length / 64 + times / 8)
      return native(text, pattern, replacement, limit)
    }
    return native(text, matchesCharged(pattern, length / 16, meter), replacement, limit)
  }),
  split: one("<s-(sf)n?:a<s>>", 3, (meter, [text, separator, limit], native) => {
    meter.spend(lengthOf(text) / 16)
    return native(text, matchesCharged(separator, 0, meter), limit)
  }),
  join: one("<a<s>s?:s>", 2, (meter, [texts, separator], native) => {
    if (!Array.isArray(texts)) return native(texts, separator)
    const size = texts.reduce<number>(
      (sum, text) => sum + lengthOf(text),
      lengthOf(separator) * texts.length,
    )
    if (size > meter.limits.size) throw tooLarge(`a text of ${size} characters`)
    meter.spend(texts.length / 16 + size / 256)
    return native(texts, separator)
  }),
  formatNumber: one("<n-so?:s>", 3, formatted(200)),
  formatBase: one("<n-n?:s>", 2, flat()),
  formatInteger: one("<n-s:s>", 2, formatted(200)),
  parseInteger: one("<s-s:n>", 2, formatted(200)),
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
  // JSONata copies what it has so far for each entry.
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
    // Of other lists JSONata knows no order, and says so.
    const sortable = Array.isArray(list) && (comparator !== undefined || isPlainList(list))
    return sortable ? sortList(list, comparator as Callback | undefined, meter) : native(list)
  }),
  shuffle: one("<a:a>", 1, flat(1 / 8)),
  distinct: one("<x:x>", 1, (meter, [value], native) =>
    Array.isArray(value) ? distinct(value, meter) : native(value),
  ),
  base64encode: one("<s-:s>", 1, flat(1 / 64)),
  base64decode: one("<s-:s>", 1, flat(1 / 64)),
  encodeUrlComponent: one("<s-:s>", 1, flat(1 / 32)),
  encodeUrl: one("<s-:s>", 1, flat(1 / 32)),
  decodeUrlComponent: one("<s-:s>", 1, flat(1 / 32)),
  decodeUrl: one("<s-:s>", 1, flat(1 / 32)),
  // JSONata turns a picture into a pattern with one repetition per component, which digits can keep busy for ever.
  toMillis: one("<s-s?:n>", 2, (meter, [text, picture], native) => {
    if (
      lengthOf(text) > 60 ||
      (typeof picture === "string" && (picture.length > 40 || picture.split("[").length > 9))
    ) {
      throw new TemplateFailed(
        "$toMillis takes a text of at most 60 characters, with a picture of 40 characters and eight components",
      )
    }
    return formatted(60)(meter, [text, picture], native)
  }),
  fromMillis: one("<n-s?s?:s>", 3, formatted(200)),
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

/** A name that no expression can write. */
export const meterName = "meter of the call"

const meterOf = (focus: FunctionFocus): TemplateMeter =>
  focus.environment.lookup(meterName) as TemplateMeter

/** Puts functions that pay for their work in the place of JSONata's own. Resolves when the program can be evaluated. */
export function chargeFunctions(program: jsonata.Expression): () => Promise<void> {
  let natives: ReadonlyMap<string, NativeFunction> = new Map()
  const nativeOf =
    (name: string, focus: FunctionFocus): Native =>
    (...args) =>
      natives.get(name)?.apply(focus, args)
  const names = Object.keys(functions)
  for (const [name, { signature, arity, call }] of Object.entries(functions)) {
    program.registerFunction(
      name,
      withArity(arity, (focus, args) => {
        const meter = meterOf(focus)
        meter.spend(1)
        const run = (): unknown => checked(call(meter, args, nativeOf(name, focus)), meter)
        // A function that another one calls for each entry of a list is not seen as a step.
        return meter.rest()?.then(run) ?? run()
      }),
      signature,
    )
  }
  program.registerFunction(
    "now",
    withArity(2, (focus, args) => {
      const { implementation } = focus.environment.lookup("millis") as {
        readonly implementation: () => number
      }
      const native = nativeOf("fromMillis", focus)
      return formatted(200)(meterOf(focus), [implementation(), ...args], native)
    }),
    "<s?s?:s>",
  )
  // It would run whatever stands in the state.
  program.registerFunction("eval", () => {
    throw new TemplateFailed("$eval is not available in templates")
  })
  return async () => {
    if (natives.size === 0) natives = await nativeFunctions(names)
  }
}

function checked(result: unknown, meter: TemplateMeter): unknown {
  if (result instanceof Promise)
    return result.then((value: unknown) => {
      meter.passes(value)
      return value
    })
  meter.passes(result)
  return result
}

type Call = (focus: FunctionFocus, args: readonly unknown[]) => unknown

/** JSONata reads how many parameters a function has, and their names, from the function itself. */
function withArity(
  arity: ChargedFunction["arity"],
  call: Call,
): Parameters<jsonata.Expression["registerFunction"]>[1] {
  switch (arity) {
    case 0:
      return function (this: FunctionFocus, ...args: unknown[]) {
        return call(this, args)
      }
    case 1:
      return function (this: FunctionFocus, a: unknown) {
        return call(this, [a])
      }
    case "1 or 2":
      return function (this: FunctionFocus, a: unknown, b: unknown = undefined) {
        return call(this, [a, b])
      }
    case 2:
      return function (this: FunctionFocus, a: unknown, b: unknown) {
        return call(this, [a, b])
      }
    case 3:
      return function (this: FunctionFocus, a: unknown, b: unknown, c: unknown) {
        return call(this, [a, b, c])
      }
    case 4:
      return function (this: FunctionFocus, a: unknown, b: unknown, c: unknown, d: unknown) {
        return call(this, [a, b, c, d])
      }
  }
}
