import type { waitAgent } from "../../agent-types/wait-agent.js"
import type { ParsedFields } from "./agent-config.js"
import type { ReadFrom } from "./read-from.js"

/**
 * The parsed config of an agent that waits for a duration or until a time. Either `durationMs` or
 * `until` is set.
 */
export interface ParsedWaitAgent extends ParsedFields<typeof waitAgent.fields>, ReadFrom {
  readonly type: "WaitAgent"
}
