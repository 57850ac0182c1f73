import type { PendingRequest } from "../../../api.js"
import { parseJsonObject } from "../../client/parse-json.js"

type ProposedCall = NonNullable<PendingRequest["toolCalls"]>[number]

/** The arguments that an approval sends. null: the arguments of all calls are unchanged. */
type EditedArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> | null }
  | { readonly ok: false; readonly message: string }

/** Returns the proposed arguments of a call as indented JSON. */
export const argumentsText = ({ args }: ProposedCall): string => JSON.stringify(args, null, 2)

/**
 * Parses the edited arguments of proposed calls. The arguments of an only call are returned as they
 * are, those of several calls by the id of the call (docs/semantics.md#pending-requests).
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
