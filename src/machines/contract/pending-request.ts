import type { ToolArguments } from "./services.js"
import type { UserPart } from "./user-content.js"

/** A pending request of a run (docs/semantics.md#pending-requests). Its id stays the same after a restart, and an answer names the id. */
export interface PendingRequest {
  readonly id: string
  readonly kind: "approval" | "input" | "tool" | "human" | "auth"
  /** Id of the agent that asks. */
  readonly agent: string
  readonly path: string
  readonly branch: string | null
  readonly prompt: string | null
  /** `actionDetails` of an approval, `ticket` of a long-running tool, `auth` of a consent. */
  readonly details: unknown
  /**
   * The tool calls that an approval allows, or the one pending call for the kinds `tool` and
   * `auth`.
   */
  readonly toolCalls?: readonly {
    readonly id: string
    readonly name: string
    readonly args: ToolArguments
  }[]
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number
}

/** Returns the `expiresAt` of a request, or an empty object if the request does not expire. */
export const expiry = (at: number, expiresInMs: number | null): Pick<PendingRequest, "expiresAt"> =>
  expiresInMs === null ? {} : { expiresAt: at + expiresInMs }

/**
 * An answer to a pending request, as an event for the agent that made the request. `at` is the time
 * of the answer, in milliseconds since the epoch.
 */
export type Reply =
  | {
      readonly type: "human.approved"
      readonly id: string
      readonly args: ToolArguments | null
      readonly at: number
    }
  | {
      readonly type: "human.rejected"
      readonly id: string
      readonly reason: string | null
      readonly at: number
    }
  | {
      readonly type: "human.answered"
      readonly id: string
      readonly value: unknown
      readonly at: number
    }
  | {
      readonly type: "user.said"
      readonly id: string
      readonly text: string
      readonly parts?: readonly UserPart[]
      readonly at: number
    }
  | {
      readonly type: "tool.delivered"
      readonly id: string
      readonly result: unknown
      readonly at: number
    }
