import type jsonata from "jsonata"
import { type ChargedFunction, formatted, type Native } from "./charged-function.js"
import { type FunctionFocus, functionHolder, functionsOf } from "./native-functions.js"
import { TemplateFailed } from "../limits/template-errors.js"
import type { TemplateMeter } from "../limits/template-meter.js"
import { textFunctions } from "./text-functions.js"
import { valueFunctions } from "./value-functions.js"

/** Every built-in function of JSONata. */
const functions: Readonly<Record<string, ChargedFunction>> = { ...textFunctions, ...valueFunctions }

/** A name that no expression can write. */
export const meterName = "meter of the call"

const meterOf = (focus: FunctionFocus): TemplateMeter =>
  focus.environment.lookup(meterName) as TemplateMeter

/** Functions that pay for their work, by the name of the function of JSONata in whose place they are put. */
export async function chargedFunctions(): Promise<ReadonlyMap<string, object>> {
  const natives = await functionsOf(functionHolder(), Object.keys(functions))
  const nativeOf =
    (name: string, focus: FunctionFocus): Native =>
    (...args) =>
      natives.get(name)?.implementation.apply(focus, args)
  // Only an expression can make functions with signatures.
  const holder = functionHolder()
  for (const [name, { signature, arity, call }] of Object.entries(functions)) {
    holder.registerFunction(
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
  // It would run whatever stands in the state.
  holder.registerFunction("eval", () => {
    throw new TemplateFailed("$eval is not available in templates")
  })
  return functionsOf(holder, [...Object.keys(functions), "now", "eval"])
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
