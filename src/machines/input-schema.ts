import { lastOfUser } from "./history.js"
import type { AdkDefinition } from "./agent-chart.js"
import type { CallFailure } from "./contract.js"
import type { Lookup } from "./step.js"
import { readStructured } from "./structured-output.js"
import type { TurnInput } from "./turn.js"
import type { UserContent } from "./user-content.js"
import { textOfContent } from "./user-content.js"

/**
 * How the user's message breaks the `inputSchema` of the root agent (SPEC section 12); null where it does not, and where nobody
 * has said anything. What other agents are given is checked where they are called as tools.
 */
export function refusedInput(
  { agent, path, history }: TurnInput,
  { inputSchema }: AdkDefinition,
  lookup: Lookup,
): { readonly ok: false; readonly failure: CallFailure } | null {
  if (inputSchema === null || history === null || path.includes("/")) return null
  const said = lastOfUser(history)
  if (said === undefined) return null
  // Under the author "user" stands what a user said.
  const read = readStructured(
    textOfContent(said.message.content as UserContent),
    inputSchema,
    lookup,
  )
  if (read.ok) return null
  return {
    ok: false,
    failure: {
      code: "schema_violated",
      message: `the input of agent "${agent}" breaks its input schema: ${read.violation}`,
      retryable: false,
    },
  }
}
