import type { PendingRequest } from "../../../api.js"
import { parseJsonObject } from "../../client/parse-json.js"

type ProposedCall = NonNullable<PendingRequest["toolCalls"]>[number]

/**
 * The arguments to send with the approval of tool calls, or an error message for the user. `args`
 * is null if the user has not changed any arguments.
 */
type EditedArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> | null }
  | { readonly ok: false; readonly message: string }

/** Returns the arguments of a proposed tool call as indented JSON, which the user can edit. */
export const argumentsText = ({ args }: ProposedCall): string => JSON.stringify(args, null, 2)

/**
 * Parses the arguments that the user has edited. `edits` contains the edited JSON texts by call id.
 * For several proposed calls, the result contains the changed arguments by call id. For a single
 * call, it contains only the arguments of this call (docs/semantics.md#pending-requests).
 */
export function editedArguments(
  calls: readonly ProposedCall[],
  edits: Readonly<Record<string, string>>,
): EditedArguments {
  const changed: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const call of calls) {
    const text = edits[call.id]
    if (text === undefined || text === argumentsText(call)) continue
    const parsed = parseJsonObject(text, `The arguments of ${call.name}`)
    if (!parsed.ok) return parsed
    if (parsed.value !== null) changed[call.id] = parsed.value
  }
  if (Object.keys(changed).length === 0) return { ok: true, args: null }
  const [only, ...others] = calls
  if (only === undefined || others.length > 0) return { ok: true, args: changed }
  return { ok: true, args: changed[only.id] ?? null }
}
