import type { waitAgent } from "../../agent-types/wait-agent.js"
import type { ParsedFields } from "./agent-config.js"
import type { ReadFrom } from "./read-from.js"

/**
 * The parsed config of an agent that waits for a duration or until a time. One of `durationMs` and
 * `until` is set, the other is null.
 */
export interface ParsedWaitAgent extends ParsedFields<typeof waitAgent.fields>, ReadFrom {
  readonly type: "WaitAgent"
}
