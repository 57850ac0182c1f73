import ms from "ms"
import { report } from "../../diagnostics/config-location.js"
import { show } from "../../diagnostics/show.js"
import type { Reader } from "./field-table.js"

/**
 * Reads a duration, such as `"30s"`, `"5 minutes"` or a number of milliseconds. Returns whole
 * milliseconds, at least 1.
 */
export const duration: Reader<number> = (value, at) => {
  const fix =
    'Write a duration such as "500ms", "30s" or "5 minutes", or a number of milliseconds greater than 0.'
  const milliseconds =
    typeof value === "string"
      ? inMilliseconds(value)
      : typeof value === "number"
        ? value
        : undefined
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) {
    return report(at, {
      code: "bad_duration",
      says: `is ${show(value)}, which is not a duration`,
      fix,
    })
  }
  if (milliseconds <= 0 || milliseconds > Number.MAX_SAFE_INTEGER) {
    return report(at, {
      code: "bad_duration",
      says: `is ${show(value)}, which is not a possible duration`,
      fix,
    })
  }
  return Math.ceil(milliseconds)
}

/**
 * Converts a text such as `5 minutes` to milliseconds, or returns undefined if `ms` cannot parse
 * it. The type of `ms` only accepts valid texts, and `ms` throws for an empty text.
 */
function inMilliseconds(text: string): number | undefined {
  return text === "" ? undefined : ms(text as ms.StringValue)
}
