import { lastUserEntry } from "../contract/history.js"
import type { AdkDefinition } from "../contract/agent-definition.js"
import type { CallFailure } from "../contract/services.js"
import type { Lookup } from "../contract/machine-kind.js"
import { readStructured } from "./structured-output.js"
import type { TurnInput } from "../contract/turn.js"
import type { UserContent } from "../contract/user-content.js"
import { textOfContent } from "../contract/user-content.js"

/**
 * Validates the user's message against the `inputSchema` of the root agent
 * (docs/semantics.md#output-schemas). Returns the failure, or null if the message is valid or if
 * there is no message. The input of other agents is validated when an AgentTool calls them.
 */
export function invalidInput(
  { agent, path, history }: TurnInput,
  { inputSchema }: AdkDefinition,
  lookup: Lookup,
): { readonly ok: false; readonly failure: CallFailure } | null {
  if (inputSchema === null || history === null || path.includes("/")) return null
  const userEntry = lastUserEntry(history)
  if (userEntry === undefined) return null
  // An entry whose author is "user" is always a user message, so its content is `UserContent`.
  const read = readStructured(
    textOfContent(userEntry.message.content as UserContent),
    inputSchema,
    lookup,
  )
  if (read.ok) return null
  return {
    ok: false,
    failure: {
      code: "schema_violated",
      message: `the input of agent "${agent}" does not match its input schema: ${read.violation}`,
      retryable: false,
    },
  }
}
