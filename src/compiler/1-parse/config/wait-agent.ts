import type { waitAgent } from "../../agent-types/wait-agent.js"
import type { ParsedFields } from "./agent-config.js"
import type { ReadFrom } from "./read-from.js"

/** An agent that waits. Either `durationMs` or `until` is set. */
export interface ParsedWaitAgent extends ParsedFields<typeof waitAgent.fields>, ReadFrom {
  readonly type: "WaitAgent"
}
