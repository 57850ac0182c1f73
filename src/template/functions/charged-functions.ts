import type jsonata from "jsonata"
import { type ChargedFunction, formatted, type NativeFunction } from "./charged-function.js"
import { type FunctionFocus, functionHolder, functionsOf } from "./native-functions.js"
import { TemplateFailed } from "../limits/template-errors.js"
import { parseJson } from "./parse-json.js"
import type { TemplateMeter } from "../limits/template-meter.js"
import { textFunctions } from "./text-functions.js"
import { valueFunctions } from "./value-functions.js"

/**
 * JSONata's built-in functions by name, such as `sum`. Each function charges its work to a meter,
 * which limits the work of templates.
 */
const functions: Readonly<Record<string, ChargedFunction>> = { ...textFunctions, ...valueFunctions }

/**
 * Name of the JSONata variable that contains the meter of the current call, which limits the work
 * of its templates. Expressions cannot read the variable, because its name contains spaces.
 */
export const meterName = "meter of the call"

const meterOf = (focus: FunctionFocus): TemplateMeter =>
  focus.environment.lookup(meterName) as TemplateMeter

/**
 * Returns replacements for JSONata's built-in functions, by function name. Each replacement charges
 * its work to the meter of the current call, which limits the work of templates.
 */
export async function chargedFunctions(): Promise<ReadonlyMap<string, object>> {
  const natives = await functionsOf(functionHolder(), Object.keys(functions))
  const nativeOf =
    (name: string, focus: FunctionFocus): NativeFunction =>
    (...args) =>
      natives.get(name)?.implementation.apply(focus, args)
  // JSONata parses signatures only for functions that are registered on an expression.
  const holder = functionHolder()
  for (const [name, { signature, arity, call }] of Object.entries(functions)) {
    holder.registerFunction(
      name,
      withArity(arity, (focus, args) => {
        const meter = meterOf(focus)
        meter.spend(1)
        const run = (): unknown => checked(call(meter, args, nativeOf(name, focus)), meter)
        // Pause here, because functions such as `$map` call other functions for each list entry
        // without an evaluation step in between.
        return meter.pauseIfDue()?.then(run) ?? run()
      }),
      signature,
    )
  }
  holder.registerFunction(
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
  holder.registerFunction(
    "parseJson",
    withArity(1, (focus, [text]) => {
      const meter = meterOf(focus)
      return typeof text === "string" ? checked(parseJson(text, meter), meter) : undefined
    }),
    "<s-:x>",
  )
  // Disable `$eval`, because it would execute text from the state.
  holder.registerFunction("eval", () => {
    throw new TemplateFailed("$eval is not available in templates")
  })
  return functionsOf(holder, [...Object.keys(functions), "now", "parseJson", "eval"])
}

function checked(result: unknown, meter: TemplateMeter): unknown {
  if (result instanceof Promise)
    return result.then((value: unknown) => {
      meter.checkSize(value)
      return value
    })
  meter.checkSize(result)
  return result
}

type Call = (focus: FunctionFocus, args: readonly unknown[]) => unknown

/**
 * Wraps a function so that it declares `arity` parameters. JSONata reads the number of parameters
 * from the source text of a function.
 */
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
