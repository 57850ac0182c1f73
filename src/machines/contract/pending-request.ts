import type { JsonObject } from "../data/json-object.js"
import { isJsonObject } from "../data/json-object.js"
import type { ToolArguments } from "./services.js"
import type { UserPart } from "./user-content.js"

/** One of the allowed answers to a request, such as `"approve"` or `5`. */
export type AnswerChoice = string | number | boolean

/**
 * A request with which a run waits for a person or for an external result
 * (docs/semantics.md#pending-requests). Answers refer to the request by its id, which stays the
 * same after a restart.
 */
export interface PendingRequest {
  readonly id: string
  readonly kind: "approval" | "input" | "tool" | "human" | "auth"
  /** Id of the agent that created the request. */
  readonly agent: string
  /**
   * Id of the graph node that created the request. If an agent created the request, the id of the
   * node that runs this agent. Absent outside graphs.
   */
  readonly node?: string
  readonly path: string
  readonly branch: string | null
  readonly prompt: string | null
  /**
   * Additional data of the request. Examples are the `actionDetails` of an approval, the `ticket`
   * of a long-running tool, and the `auth` of a consent.
   */
  readonly details: unknown
  /** The allowed answers. Absent if the answer is not limited to a list. */
  readonly choices?: readonly AnswerChoice[]
  /** JSON schema that an answer must match. Absent if every answer is allowed. */
  readonly answerSchema?: JsonObject
  /**
   * Values of the session state that help the person to decide, by state key. Absent if there are
   * none.
   */
  readonly shown?: JsonObject
  /**
   * State keys whose values are missing in `shown` because they are too large. Absent if there are
   * none.
   */
  readonly omittedKeys?: readonly string[]
  /**
   * The tool calls to which the request refers. A request of the kind `approval` lists the calls to
   * approve. A request of the kind `tool` or `auth` contains the single call that waits.
   */
  readonly toolCalls?: readonly {
    readonly id: string
    readonly name: string
    readonly args: ToolArguments
    /** JSON schema of the call's arguments. Arguments that a person edits must match it. */
    readonly parameters?: JsonObject
  }[]
  /**
   * Time at which the request expires, in milliseconds since the epoch. Absent if it never expires.
   */
  readonly expiresAt?: number
  /**
   * Set if a child run or a remote agent created the request. Contains the id of the child run or
   * remote task, and the id of the request there. You can answer the request in either run.
   */
  readonly child?: { readonly runId: string; readonly request: string }
}

/**
 * Returns whether a graph node created this request to ask a person. The details of such a request
 * contain `payload` and `responseSchema`. Callers need this information because a plain text answer
 * to such a request is not checked against `answerSchema` (docs/semantics.md#questions-of-nodes).
 */
export const isNodeQuestion = ({ kind, details }: PendingRequest): boolean =>
  kind === "human" && isJsonObject(details) && Object.hasOwn(details, "responseSchema")

/**
 * Returns the field `expiresAt` for a request that is created at the time `at`. Returns an empty
 * object if `expiresInMs` is null, because the request then never expires.
 */
export const expiry = (at: number, expiresInMs: number | null): Pick<PendingRequest, "expiresAt"> =>
  expiresInMs === null ? {} : { expiresAt: at + expiresInMs }

/**
 * An answer to the pending request `id`, as an event. The agent that created the request receives
 * this event. `at` is the time of the answer, in milliseconds since the epoch.
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
