import { linearPattern } from "../../regex/linear-pattern.js"
import { regexSteps } from "../../regex/regex-cost.js"
import type { SchemaMeter } from "./schema-meter.js"
import { SchemaTooCostly } from "./schema-meter.js"

/** The maximum number of steps for which the regular expression engine of JavaScript is used. */
const maxNativeSteps = 2_000_000
const stepsPerCheck = 50

/**
 * Returns a function that tests a string against a pattern in bounded time. Throws a `SyntaxError`
 * if the pattern is not a valid regular expression.
 */
export function schemaPattern(source: string): (text: string, meter: SchemaMeter) => boolean {
  const native = new RegExp(source, "u")
  let linear: ReturnType<typeof linearPattern> | undefined
  return (text, meter) => {
    const steps = regexSteps(source, text.length)
    if (typeof steps === "number" && steps <= maxNativeSteps) {
      meter.spend(steps / stepsPerCheck)
      return native.test(text)
    }
    // The engine of JavaScript backtracks, so its time can be exponential. This matcher is linear.
    linear ??= linearPattern(source)
    if (linear === null)
      throw new SchemaTooCostly(
        `the pattern ${JSON.stringify(source)} may take too long on a text of ${text.length} characters`,
      )
    return linear(text, meter.spend)
  }
}
