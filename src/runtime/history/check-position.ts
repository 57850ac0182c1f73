import { AgentStatechartsError } from "../../errors.js"

/**
 * Checks that a position is a number of records, 0 or greater, and returns it. A position beyond
 * the end of the run stands for the end.
 *
 * @throws AgentStatechartsError `input_refused` if the position is invalid
 */
export function checkedPosition(at: number): number {
  if (Number.isInteger(at) && at >= 0) return at
  throw new AgentStatechartsError(
    "input_refused",
    `a position in a journal must be a number of records, 0 or greater, not ${String(at)}`,
  )
}
