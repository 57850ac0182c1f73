import type { Content, FunctionCall, FunctionResponse } from "./content.js"
import { textOf } from "./content.js"
import type { EventActions } from "./event-actions.js"
import { createEventActions } from "./event-actions.js"

/** An event of a conversation, in ADK's format. */
export interface Event {
  /**
   * Id of the event. For an event of a run, it consists of the run id and the index of the event,
   * such as `run-1-0`. Empty for events created with `createEvent`.
   */
  readonly id: string
  readonly invocationId: string
  /** The author of the event: `user`, or the name of an agent. */
  readonly author: string
  readonly content?: Content
  readonly actions: EventActions
  /**
   * Ids of tool calls whose results are delivered later. These are calls of long-running tools,
   * requests for confirmation, and questions to a person.
   */
  readonly longRunningToolIds?: readonly string[]
  readonly branch?: string
  /** Creation time in milliseconds since the epoch. 0 if the time is unknown. */
  readonly timestamp: number
  /** Always false or absent, because texts are not streamed. */
  readonly partial?: boolean
  readonly turnComplete?: boolean
  /** Output of the graph node that created the event. Absent if the event contains no output. */
  readonly output?: unknown
  /** The route or the routes that the graph node has chosen, such as `"approved"`. */
  readonly route?: Route
  readonly nodeInfo?: NodeInfo
  readonly errorCode?: string
  readonly errorMessage?: string
  readonly usageMetadata?: UsageMetadata
  /**
   * Further data that is stored with the event. Its meaning is defined by the program that created
   * the event.
   */
  readonly customMetadata?: Readonly<Record<string, unknown>>
}

export interface UsageMetadata {
  readonly promptTokenCount?: number
  readonly candidatesTokenCount?: number
  readonly totalTokenCount?: number
}

/**
 * A route that a graph node chooses. Routes are compared as strings, so `1` and `"1"` are the same
 * route.
 */
export type RouteKey = string | number | boolean

export type Route = RouteKey | readonly RouteKey[]

/** The graph node that created an event. */
export interface NodeInfo {
  /**
   * Path of the node, such as `flow.check`. It consists of the names of the graphs that contain the
   * node and its own name.
   */
  readonly path?: string
}

/**
 * Creates an event from the passed fields. Does not read the clock or generate a random id, so a
 * custom agent that runs again creates the same event.
 */
export const createEvent = ({ actions, ...fields }: Partial<Event> = {}): Event => ({
  id: "",
  invocationId: "",
  author: "",
  timestamp: 0,
  ...fields,
  actions: createEventActions(actions),
})

/** Returns whether a value is an event, such as a result of `createEvent`. */
export const isEvent = (value: unknown): value is Event =>
  typeof value === "object" &&
  value !== null &&
  "actions" in value &&
  "author" in value &&
  "invocationId" in value

/**
 * Returns whether an event is the final response of an agent. This is true if the event contains no
 * tool calls or tool results, or if the turn ends or pauses with the event.
 */
export function isFinalResponse(event: Event): boolean {
  if (event.actions.skipSummarization === true || (event.longRunningToolIds?.length ?? 0) > 0)
    return true
  return (
    getFunctionCalls(event).length === 0 &&
    getFunctionResponses(event).length === 0 &&
    event.partial !== true
  )
}

export const getFunctionCalls = ({ content }: Event): FunctionCall[] =>
  content?.parts?.flatMap(({ functionCall }) => functionCall ?? []) ?? []

export const getFunctionResponses = ({ content }: Event): FunctionResponse[] =>
  content?.parts?.flatMap(({ functionResponse }) => functionResponse ?? []) ?? []

/** Returns all texts of an event as one string, or `""` if the event contains no text. */
export const stringifyContent = ({ content }: Event): string => textOf(content) ?? ""
