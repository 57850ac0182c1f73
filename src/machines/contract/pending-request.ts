import type { JsonObject } from "../data/json-object.js"
import { isJsonObject } from "../data/json-object.js"
import type { ToolArguments } from "./services.js"
import type { UserPart } from "./user-content.js"

/** One of the allowed answers to a request. */
export type AnswerChoice = string | number | boolean

/**
 * A request of a run that waits for an answer (docs/semantics.md#pending-requests). Its id stays
 * the same after a restart. Answers refer to the request by this id.
 */
export interface PendingRequest {
  readonly id: string
  readonly kind: "approval" | "input" | "tool" | "human" | "auth"
  /** Id of the agent that opened the request. */
  readonly agent: string
  /**
   * Id of the graph node that opened the request, or that contains the agent that opened it. Absent
   * outside graphs.
   */
  readonly node?: string
  readonly path: string
  readonly branch: string | null
  readonly prompt: string | null
  /**
   * Details of the request: `actionDetails` for an approval, `ticket` for a long-running tool,
   * `auth` for a consent.
   */
  readonly details: unknown
  /** The allowed answers. Absent if the request has no list of allowed answers. */
  readonly choices?: readonly AnswerChoice[]
  /** JSON Schema that an answer must match. Absent if every answer is allowed. */
  readonly answerSchema?: JsonObject
  /** Values of the session state that help the person to decide, by state key. */
  readonly shown?: JsonObject
  /** State keys that `shown` does not contain because their values are too large. */
  readonly omittedKeys?: readonly string[]
  /**
   * The tool calls to which the request refers. For an approval, these are the calls to approve.
   * For the kinds `tool` and `auth`, this is the single call that waits.
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
   * Set if a child run or a remote agent opened the request. Contains the id of the child run or
   * the remote task, and the id that the request has there. The request can be answered in either
   * run.
   */
  readonly child?: { readonly runId: string; readonly request: string }
}

/**
 * Returns whether a request is a question of a graph node. The details of such a request contain
 * `payload` and `responseSchema`. A plain text answer is not checked against its `answerSchema`
 * (docs/semantics.md#questions-of-nodes).
 */
export const isNodeQuestion = ({ kind, details }: PendingRequest): boolean =>
  kind === "human" && isJsonObject(details) && Object.hasOwn(details, "responseSchema")

/**
 * Returns the field `expiresAt` for a request that opens at the time `at`. Returns an empty object
 * if `expiresInMs` is null, because the request then never expires.
 */
export const expiry = (at: number, expiresInMs: number | null): Pick<PendingRequest, "expiresAt"> =>
  expiresInMs === null ? {} : { expiresAt: at + expiresInMs }

/**
 * An answer to a pending request. It is an event that the agent that opened the request receives.
 * `at` is the time of the answer, in milliseconds since the epoch.
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
