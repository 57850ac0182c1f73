import { type Callback, chargedCallback, checkPicture } from "./function-costs.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/** JSONata's original implementation of a built-in function, such as `$sum`. */
export type NativeFunction = (...args: unknown[]) => unknown
export type ChargedCall = (
  meter: TemplateMeter,
  args: readonly unknown[],
  native: NativeFunction,
) => unknown

export interface ChargedFunction {
  readonly signature: string
  readonly arity: 0 | 1 | "1 or 2" | 2 | 3 | 4
  readonly call: ChargedCall
}

export const lengthOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : 0

/**
 * Creates a wrapper for a JSONata function. The wrapper charges the meter, which limits the work of
 * templates, for the lengths of the arguments. `each` is the cost of one character or list entry,
 * in units of work.
 */
export const linear =
  (each = 1 / 16): ChargedCall =>
  (meter, args, native) => {
    for (const arg of args) meter.spend(lengthOf(arg) * each)
    return native(...args)
  }

/**
 * Wraps a JSONata function that visits all nested values of its arguments. Charges their total size
 * to the meter.
 */
export const deep: ChargedCall = (meter, args, native) => {
  for (const arg of args) meter.walk(arg, 2)
  return native(...args)
}

/**
 * Wraps a JSONata function that calls a predicate for each entry of a list, such as `$filter`.
 * Charges the meter for the length of the list and for the size of each result of the predicate.
 */
export const predicate: ChargedCall = (meter, [list, callback, ...rest], native) => {
  meter.spend(lengthOf(list) / 8)
  return native(list, chargedCallback(callback as Callback | undefined, meter), ...rest)
}

/**
 * Creates a wrapper for a JSONata function with a picture string, which is a format such as
 * `[Y0001]-[M01]`. The wrapper throws if the picture string is longer than `longest`, because
 * JSONata parses long picture strings slowly.
 */
export const formatted =
  (longest: number): ChargedCall =>
  (meter, args, native) => {
    meter.spend(50)
    for (const arg of args) {
      if (typeof arg === "string") checkPicture(arg, longest)
      else meter.walk(arg, 8)
    }
    return native(...args)
  }

export const charged = (
  signature: string,
  arity: ChargedFunction["arity"],
  call: ChargedCall,
): ChargedFunction => ({
  signature,
  arity,
  call,
})
