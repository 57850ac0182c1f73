import type { JsonObject } from "../../data/json-object.js"
import type { HostChanges } from "../services.js"

/**
 * The result of one execution of a host function. The execution ends when the function returns, or
 * when it starts a step. A step is a part that the run performs or records, such as running an
 * agent (`agent`) or asking a person (`ask`). `type` distinguishes these cases.
 */
export type HostOutcome = {
  /** Changes that the function itself has made to the session state since its last step. */
  readonly changed: HostChanges
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
  readonly escalates: boolean
  /**
   * Id of the agent to which the tool hands off the conversation. Absent if there is no handoff.
   */
  readonly transfersTo?: string
  /** Set if the result of the tool ends the agent's turn without another model call. */
  readonly skipsSummarization?: true
} & (
  | {
      readonly type: "returned"
      readonly value: unknown
      /**
       * The field `args` of the function's input, as it is when the function returns. A callback
       * can change this field, for example to change the arguments of a tool call. Absent if the
       * input has no `args`.
       */
      readonly args?: unknown
    }
  | { readonly type: "agent"; readonly name: string }
  | {
      readonly type: "ask"
      readonly name: string
      readonly details: unknown
      /** The allowed answers. If absent, every text is allowed. */
      readonly choices?: readonly string[]
      /** JSON schema of the answer. If absent, the answer is a text. */
      readonly answerSchema?: JsonObject
      /**
       * Set if the question asks a person for consent to use a secret. The answer is the name of
       * the secret.
       */
      readonly isConsent?: true
      /** Time until the question expires, in milliseconds. If absent, it never expires. */
      readonly expiresInMs?: number
      readonly onExpiry?: "reject" | "fail" | "continue"
    }
  | ({ readonly type: "step"; readonly name: string; readonly concurrent?: true } & (
      | { readonly ok: true; readonly value: unknown }
      | { readonly ok: false; readonly error: string }
    ))
)
