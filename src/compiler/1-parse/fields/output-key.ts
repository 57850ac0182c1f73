import type { Place } from "../place.js"
import { report } from "../place.js"
import type { Reader } from "./field-table.js"
import { filledText } from "./plain-values.js"

/** Keys of the session state that the system itself writes. */
export const systemKeys: ReadonlySet<string> = new Set([
  "_user_message_count",
  "orchestration_cycle_count",
  "current_agent_loop_iteration",
  "loop_exit_reason",
  "branch_errors",
])

export const outputKey: Reader<string> = (value, at) => {
  const key = filledText(value, at)
  return key === null || !systemKeys.has(key) ? key : refuseReserved(key, at)
}

export const refuseReserved = (key: string, at: Place): null =>
  report(at, {
    code: "reserved_name",
    says: `is "${key}", a key that is reserved for the system`,
    cure: "Choose another key.",
  })

/** A parallel block has no text of its own to save. */
export const noOutputKey: Reader<never> = (_, at) =>
  report(at, {
    code: "output_key_on_parallel",
    says: "has no effect: a parallel block has no single result",
    cure: "Remove it, and give each branch an outputKey of its own.",
    part: "key",
  })
