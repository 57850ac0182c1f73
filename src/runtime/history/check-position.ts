import { AgentStatechartsError } from "../../errors.js"

/** A position in a journal counts records; one beyond the end is the end. */
export function checkedPosition(at: number): number {
  if (Number.isInteger(at) && at >= 0) return at
  throw new AgentStatechartsError(
    "input_refused",
    `a position in a journal must be a number of records, 0 or greater, not ${String(at)}`,
  )
}
