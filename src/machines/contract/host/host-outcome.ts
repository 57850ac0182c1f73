import type { JsonObject } from "../../data/json-object.js"
import type { HostChanges } from "../services.js"

/**
 * The end of one execution of a host function: either the function returned, or it started a step.
 */
export type HostOutcome = {
  /** State changes that the function itself has made since its last step. */
  readonly changed: HostChanges
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
  readonly escalates: boolean
  /** Id of the agent to which the conversation is handed off; absent if there is no handoff. */
  readonly transfersTo?: string
  /** Set if the result of the tool ends the turn without another model call. */
  readonly skipsSummarization?: true
} & (
  | {
      readonly type: "returned"
      readonly value: unknown
      /**
       * The input field `args` after the execution, because a callback can change it. Absent if the
       * input has no `args`.
       */
      readonly args?: unknown
    }
  | { readonly type: "agent"; readonly name: string }
  | {
      readonly type: "ask"
      readonly name: string
      readonly details: unknown
      /** The allowed answers. Absent: every text is allowed. */
      readonly choices?: readonly string[]
      /** JSON Schema of the answer. Absent: the answer is a text. */
      readonly answerSchema?: JsonObject
      /**
       * Set if the question asks a person for their consent to use a secret. The answer is the name
       * of the secret.
       */
      readonly isConsent?: true
      /** Time until the question expires, in milliseconds. Absent: it never expires. */
      readonly expiresInMs?: number
      readonly onExpiry?: "reject" | "fail" | "continue"
    }
  | ({ readonly type: "step"; readonly name: string; readonly concurrent?: true } & (
      | { readonly ok: true; readonly value: unknown }
      | { readonly ok: false; readonly error: string }
    ))
)
