import type { Content, FunctionCall, FunctionResponse } from "./content.js"
import { textOf } from "./content.js"
import type { EventActions } from "./event-actions.js"
import { createEventActions } from "./event-actions.js"

/** Something that happened in a conversation, in ADK's form. */
export interface Event {
  /** Of an event that a run made: the run, and which event of it. */
  readonly id: string
  readonly invocationId: string
  /** `user`, or the name of an agent. */
  readonly author: string
  readonly content?: Content
  readonly actions: EventActions
  /** Calls whose result comes later: of long-running tools, and confirmations. */
  readonly longRunningToolIds?: readonly string[]
  readonly branch?: string
  /** Milliseconds since the epoch; 0 where whoever made the event did not say. */
  readonly timestamp: number
  /** Always false or absent: texts arrive whole. */
  readonly partial?: boolean
  readonly turnComplete?: boolean
  readonly errorCode?: string
  readonly errorMessage?: string
  readonly usageMetadata?: UsageMetadata
}

export interface UsageMetadata {
  readonly promptTokenCount: number
  readonly candidatesTokenCount: number
}

/** An event from some of its fields. It takes no time and no chance: a custom agent that runs again makes the same one. */
export const createEvent = ({ actions, ...given }: Partial<Event> = {}): Event => ({
  id: "",
  invocationId: "",
  author: "",
  timestamp: 0,
  ...given,
  actions: createEventActions(actions),
})

/** Whether this is what an agent has to say in the end: neither a call of a tool nor its result, unless somebody else goes on from there. */
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

/** All text of an event; "" where it has none. */
export const stringifyContent = ({ content }: Event): string => textOf(content) ?? ""
