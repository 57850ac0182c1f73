/** Side effects of an event, a callback or a tool. */
export interface EventActions {
  stateDelta: Record<string, unknown>
  artifactDelta: Record<string, number>
  /** Set to end the enclosing loop. */
  escalate?: boolean
  /** Name of the agent that takes over the conversation. */
  transferToAgent?: string
  /** Set if the result of the tool ends the turn of the agent. */
  skipSummarization?: boolean
  /** Confirmations that the tool requests, by id of the tool call. */
  requestedToolConfirmations: Record<string, ToolConfirmation>
}

export interface ToolConfirmation {
  readonly hint?: string
  readonly confirmed: boolean
  /** Data of the tool for the person, or the data that the person returned. */
  readonly payload?: unknown
}

export const createEventActions = (actions: Partial<EventActions> = {}): EventActions => ({
  stateDelta: {},
  artifactDelta: {},
  requestedToolConfirmations: {},
  ...actions,
})
