import { linearPattern } from "../../regex/linear-pattern.js"
import { regexSteps } from "../../regex/regex-cost.js"
import type { SchemaMeter } from "./schema-meter.js"
import { SchemaTooCostly } from "./schema-meter.js"

/** Steps of JavaScript's engine that are not worth counting. */
const mostSteps = 2_000_000
const stepsPerCheck = 50

/**
 * Says whether a text matches the pattern of a schema. Throws a `SyntaxError` for a text that is
 * not a pattern.
 */
export function schemaPattern(source: string): (text: string, meter: SchemaMeter) => boolean {
  const native = new RegExp(source, "u")
  let linear: ReturnType<typeof linearPattern> | undefined
  return (text, meter) => {
    const steps = regexSteps(source, text.length)
    if (typeof steps === "number" && steps <= mostSteps) {
      meter.spend(steps / stepsPerCheck)
      return native.test(text)
    }
    // JavaScript's engine tries all ways to match one after the other.
    linear ??= linearPattern(source)
    if (linear === null)
      throw new SchemaTooCostly(
        `the pattern ${JSON.stringify(source)} may take too long on a text of ${text.length} characters`,
      )
    return linear(text, meter.spend)
  }
}
