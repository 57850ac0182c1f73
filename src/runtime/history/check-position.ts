import { AgentStatechartsError } from "../../errors.js"

/**
 * Returns the position if it is a number of records, 0 or greater. A position beyond the end means
 * the end.
 *
 * @throws AgentStatechartsError `input_refused`
 */
export function checkedPosition(at: number): number {
  if (Number.isInteger(at) && at >= 0) return at
  throw new AgentStatechartsError(
    "input_refused",
    `a position in a journal must be a number of records, 0 or greater, not ${String(at)}`,
  )
}
