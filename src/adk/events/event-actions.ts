/** Side effects of an event, a callback or a tool. */
export interface EventActions {
  stateDelta: Record<string, unknown>
  artifactDelta: Record<string, number>
  /** Ends the enclosing loop. */
  escalate?: boolean
  /** Hands off to the agent with this name. */
  transferToAgent?: string
  /** A tool's result ends the agent's turn. */
  skipSummarization?: boolean
  /** By call id: what a person is asked to approve. */
  requestedToolConfirmations: Record<string, ToolConfirmation>
}

export interface ToolConfirmation {
  readonly hint?: string
  readonly confirmed: boolean
  /** What the tool gave the person to look at, and the person gave back. */
  readonly payload?: unknown
}

export const createEventActions = (given: Partial<EventActions> = {}): EventActions => ({
  stateDelta: {},
  artifactDelta: {},
  requestedToolConfirmations: {},
  ...given,
})
