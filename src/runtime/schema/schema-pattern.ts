import { linearPattern } from "../../regex/linear-pattern.js"
import { regexSteps } from "../../regex/regex-cost.js"
import type { SchemaMeter } from "./schema-meter.js"
import { SchemaTooCostly } from "./schema-meter.js"

/**
 * If a test is estimated to take at most this many steps, the built-in regular expression engine
 * executes it.
 */
const maxNativeSteps = 2_000_000
const stepsPerCheck = 50

/**
 * Returns a function that tests whether a string matches the pattern `source`. The test takes a
 * bounded amount of time. Throws a `SyntaxError` if the pattern is invalid.
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
    // The built-in engine backtracks, so it can take exponential time. This matcher takes linear
    // time.
    linear ??= linearPattern(source)
    if (linear === null)
      throw new SchemaTooCostly(
        `the pattern ${JSON.stringify(source)} may take too long on a text of ${text.length} characters`,
      )
    return linear(text, meter.spend)
  }
}
