import { AgentStatechartsError } from "../../errors.js"

/**
 * Returns `position` if it is a whole number, 0 or greater. A position in a run is the number of
 * journal records before it. Callers treat a position beyond the last record as the end of the run.
 *
 * @throws AgentStatechartsError `input_refused` if the position is invalid
 */
export function checkedPosition(position: number): number {
  if (Number.isInteger(position) && position >= 0) return position
  throw new AgentStatechartsError(
    "input_refused",
    `a position in a journal must be a number of records, 0 or greater, not ${String(position)}`,
  )
}
