import type { JsonObject } from "../data/json-object.js"
import { isJsonObject } from "../data/json-object.js"
import type { ToolArguments } from "./services.js"
import type { UserPart } from "./user-content.js"

/** An answer that a person can choose. */
export type AnswerChoice = string | number | boolean

/**
 * A request of a run that waits for an answer (docs/semantics.md#pending-requests). Its id stays
 * the same after a restart. Answers refer to the request by this id.
 */
export interface PendingRequest {
  readonly id: string
  readonly kind: "approval" | "input" | "tool" | "human" | "auth"
  /** Id of the agent that makes the request. */
  readonly agent: string
  /** Id of the graph node that makes the request or contains the agent; absent outside graphs. */
  readonly node?: string
  readonly path: string
  readonly branch: string | null
  readonly prompt: string | null
  /**
   * Details of the request: `actionDetails` for an approval, `ticket` for a long-running tool,
   * `auth` for a consent.
   */
  readonly details: unknown
  /** The allowed answers. Absent if the request accepts other answers. */
  readonly choices?: readonly AnswerChoice[]
  /** A JSON Schema of the allowed answers. Absent if every answer is allowed. */
  readonly answerSchema?: JsonObject
  /** The values of the session state that a person sees with the request, by state key. */
  readonly shown?: JsonObject
  /** The keys that are missing in `shown`, because their values are too large. */
  readonly omittedKeys?: readonly string[]
  /**
   * The tool calls to which the request refers: the calls to approve, or for the kinds `tool` and
   * `auth` the single pending call.
   */
  readonly toolCalls?: readonly {
    readonly id: string
    readonly name: string
    readonly args: ToolArguments
    /** JSON Schema of the arguments. Edited arguments must match it. */
    readonly parameters?: JsonObject
  }[]
  /**
   * Time at which the request expires, in milliseconds since the epoch. Absent if it does not
   * expire.
   */
  readonly expiresAt?: number
  /**
   * Set if the request belongs to a child run: the id of that run, and of the request in it. It can
   * be answered in either run.
   */
  readonly child?: { readonly runId: string; readonly request: string }
}

/**
 * Returns whether a request is a question of a graph node. Its details are the `payload` and the
 * `responseSchema` of the question, and a plain text is not checked against its `answerSchema`
 * (docs/semantics.md#questions-of-nodes).
 */
export const isNodeQuestion = ({ kind, details }: PendingRequest): boolean =>
  kind === "human" && isJsonObject(details) && Object.hasOwn(details, "responseSchema")

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
