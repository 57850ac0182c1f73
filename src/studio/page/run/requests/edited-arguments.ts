import type { PendingRequest } from "../../../api.js"
import { parseJsonObject } from "../../client/parse-json.js"

type ProposedCall = NonNullable<PendingRequest["toolCalls"]>[number]

/**
 * The arguments to send with an approval, or an error message. `args` is null if the user has
 * changed no arguments.
 */
type EditedArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> | null }
  | { readonly ok: false; readonly message: string }

/** Returns the proposed arguments of a call as indented JSON. */
export const argumentsText = ({ args }: ProposedCall): string => JSON.stringify(args, null, 2)

/**
 * Parses the arguments of proposed calls that the user has edited. The result contains changed
 * arguments by call id. For a single call, it contains only the arguments
 * (docs/semantics.md#pending-requests).
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
