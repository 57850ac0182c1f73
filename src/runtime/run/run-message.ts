import { AgentStatechartsError } from "../../errors.js"
import type { UserContent } from "../../machines/contract/user-content.js"

/**
 * A message to a run, as JSON. `type` is the name of a method of `RunControls`, and the other
 * fields are the arguments of this method. Example: `{ type: "answer", id, value }`.
 */
export type RunMessage =
  | {
      readonly type: "approve"
      readonly id: string
      readonly args?: Readonly<Record<string, unknown>>
    }
  | { readonly type: "reject"; readonly id: string; readonly reason?: string }
  | { readonly type: "answer"; readonly id: string; readonly value: unknown }
  | { readonly type: "say"; readonly content: UserContent; readonly request?: string }
  | { readonly type: "deliver"; readonly callId: string; readonly result: unknown }
  | { readonly type: "end" }
  | { readonly type: "cancel" }

/** A message that answers a request or sends user input. All messages except `end` and `cancel`. */
export type RunAnswer = Exclude<RunMessage, { readonly type: "end" | "cancel" }>

export const messageTypes: readonly string[] = [
  "approve",
  "reject",
  "answer",
  "say",
  "deliver",
  "end",
  "cancel",
] satisfies readonly RunMessage["type"][]

/**
 * Checks that a value is a message with a known `type`. The value may come from another program.
 *
 * @throws AgentStatechartsError `input_refused` if the value is not a message
 */
export function checkMessageType(message: RunMessage): void {
  const type = (message as { readonly type?: unknown } | null | undefined)?.type
  if (typeof type === "string" && messageTypes.includes(type)) return
  throw new AgentStatechartsError(
    "input_refused",
    `run.give needs a message whose type is one of ${messageTypes.join(", ")}, but its type is ${JSON.stringify(type ?? null)}. To answer a request, pass { type: "answer", id, value }.`,
  )
}
