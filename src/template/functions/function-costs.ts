import { TemplateFailed } from "../limits/template-errors.js"
import { type TemplateMeter, tooLarge } from "../limits/template-meter.js"

/**
 * A function in an expression that is passed to a built-in JSONata function, such as the predicate
 * of `$filter`.
 */
export interface Callback {
  readonly arity?: number
  readonly implementation?: { readonly length: number }
  readonly length?: number
  readonly arguments?: { readonly length: number }
  apply(focus: unknown, args: readonly unknown[]): unknown
}

/**
 * Wraps a predicate of an expression. Charges the meter for the size of each result, because
 * JSONata visits the whole result to convert it to a boolean.
 */
export function chargedCallback(callback: Callback | undefined, meter: TemplateMeter): unknown {
  if (callback === undefined) return undefined
  const charged = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    const answer = await callback.apply(this, args)
    meter.walk(answer)
    return answer
  }
  const arity =
    callback.arity ??
    callback.implementation?.length ??
    callback.length ??
    callback.arguments?.length ??
    1
  return Object.assign(charged, { arity })
}

interface Match {
  readonly next?: () => unknown
}

/**
 * Wraps the matcher function that JSONata creates for a regular expression. JSONata requests one
 * match at a time. For each request, the wrapper charges the meter `units + 1` units of work. If
 * `pattern` is not a function, returns it unchanged.
 */
export function matchesCharged(pattern: unknown, units: number, meter: TemplateMeter): unknown {
  if (typeof pattern !== "function") return pattern
  const charged = async (find: () => unknown): Promise<unknown> => {
    await meter.pauseIfDue()
    const found: unknown = await find()
    meter.spend(units + 1)
    if (typeof found !== "object" || found === null) return found
    const { next } = found as Match
    return typeof next === "function" ? { ...found, next: () => charged(next) } : found
  }
  return (text: unknown) => charged(() => (pattern as (text: unknown) => unknown)(text))
}

/**
 * Returns how often `part` occurs in a text, without overlaps. For example, returns 2 for `aa` in
 * `aaaa`.
 */
export const repeated = (text: string, part: string): number => {
  let times = 0
  for (
    let index = text.indexOf(part);
    index !== -1;
    index = text.indexOf(part, index + part.length)
  )
    times++
  return times
}

/**
 * Throws if a picture string (the format of a number or date) is longer than `longest`. Also throws
 * if one date component of the result would have more than 999 characters.
 */
export function checkPicture(picture: string, longest: number): void {
  if (picture.length > longest)
    throw new TemplateFailed(`a picture or number string of more than ${longest} characters`)
  if (/\[[^\]]*[,-]\s*0*[1-9]\d{3,}/.test(picture))
    throw tooLarge("a string of more than 999 characters for one component of a date")
}

/**
 * Returns the nesting depth of the lists and objects in a value. A string, number, boolean or null
 * has depth 0.
 */
export function depthOf(value: unknown, meter: TemplateMeter): number {
  if (typeof value !== "object" || value === null) return 0
  meter.spend(1 / 8)
  return (
    1 +
    Object.values(value).reduce<number>((most, entry) => Math.max(most, depthOf(entry, meter)), 0)
  )
}
