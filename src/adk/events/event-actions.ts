/** What an event, a callback or a tool does beside what it says. */
export interface EventActions {
  stateDelta: Record<string, unknown>
  artifactDelta: Record<string, number>
  /** Ends the loops above. */
  escalate?: boolean
  /** Hands the conversation to the agent of this name. */
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
