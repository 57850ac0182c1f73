import { check } from "../../../expression/check.js"
import { parse } from "../../../expression/parse.js"
import type { Place } from "../place.js"
import { report } from "../place.js"
import type { Reader } from "./field-table.js"
import { filledText } from "./plain-values.js"

export interface Condition {
  readonly reads: readonly string[]
}
const compileCondition = (source: string): Condition => {
  check(parse(source.trim(), 0, source.trim().length))
  return { reads: [] }
}

/** A condition of the config and where it stands. */
export interface ConditionUse {
  readonly source: string
  readonly condition: Condition
  readonly at: Place
}

/** A Python expression over `session_state`; see `docs/conditions.md`. */
export const condition: Reader<string> = (value, at) => {
  const source = filledText(value, at)
  if (source === null) return null
  try {
    at.reading.conditions.push({ source, condition: compileCondition(source), at })
    return source
  } catch (error) {
    return report(at, { code: "bad_condition", says: `is refused: ${String(error)}`, cure: "See docs/conditions.md." })
  }
}
