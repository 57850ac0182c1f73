import ms from "ms"
import { report } from "../../diagnostics/config-location.js"
import { show } from "../../diagnostics/show.js"
import type { Reader } from "./field-table.js"

/** `"30s"`, `"5 minutes"`, or a number of milliseconds; whole milliseconds, at least 1. */
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

/** The type of `ms` takes the texts it can read; it returns undefined for all others, and throws for an empty one. */
function inMilliseconds(text: string): number | undefined {
  return text === "" ? undefined : ms(text as ms.StringValue)
}
