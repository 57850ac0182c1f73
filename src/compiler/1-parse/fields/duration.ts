import ms from "ms"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { Reader } from "./field-table.js"

/**
 * Parses a duration, such as `"30s"`, `"5 minutes"` or a number of milliseconds. Returns
 * milliseconds, rounded up to a whole number.
 */
export const duration: Reader<number> = (value, location) => {
  const fix =
    'Write a duration such as "500ms", "30s" or "5 minutes", or a number of milliseconds greater than 0.'
  const milliseconds =
    typeof value === "string"
      ? inMilliseconds(value)
      : typeof value === "number"
        ? value
        : undefined
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) {
    return report(location, {
      code: "bad_duration",
      problem: `is ${describeValue(value)}, which is not a duration`,
      fix,
    })
  }
  if (milliseconds <= 0 || milliseconds > Number.MAX_SAFE_INTEGER) {
    return report(location, {
      code: "bad_duration",
      problem: `is ${describeValue(value)}, which is not a possible duration`,
      fix,
    })
  }
  return Math.ceil(milliseconds)
}

/**
 * Converts a text such as `5 minutes` to milliseconds. Returns undefined if the package `ms` cannot
 * parse the text. The cast is needed because the type of `ms` only accepts valid texts. An empty
 * text is checked first because `ms` throws for it.
 */
export function inMilliseconds(text: string): number | undefined {
  return text === "" ? undefined : ms(text as ms.StringValue)
}
