import { linearPattern } from "../../regex/linear-pattern.js"
import { regexSteps } from "../../regex/regex-cost.js"
import type { SchemaMeter } from "./schema-meter.js"
import { SchemaTooCostly } from "./schema-meter.js"

/**
 * Maximum number of estimated steps for which the built-in regular expression engine is used. If a
 * test may need more steps, a slower matcher with linear time is used.
 */
const maxNativeSteps = 2_000_000
const stepsPerCheck = 50

/**
 * Returns a function that tests whether a string matches the regular expression `source`. The
 * duration of the test is limited. Throws a `SyntaxError` if the regular expression is invalid.
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
