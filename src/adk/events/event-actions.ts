/** The side effects that an event, a callback or a tool requests, such as state changes. */
export interface EventActions {
  stateDelta: Record<string, unknown>
  artifactDelta: Record<string, number>
  /** If true, ends the LoopAgent that contains the agent. */
  escalate?: boolean
  /** Name of the agent to which the conversation is handed off. */
  transferToAgent?: string
  /** If true, the result of the tool ends the turn of the agent. */
  skipSummarization?: boolean
  /** Confirmations that a tool requests from a person, by id of the tool call. */
  requestedToolConfirmations: Record<string, ToolConfirmation>
}

/** A request to confirm a tool call, or a person's answer to this request. */
export class ToolConfirmation {
  readonly hint: string
  readonly confirmed: boolean
  /**
   * In a request, the data that the tool shows to the person. In an answer, the data that the
   * person has returned.
   */
  readonly payload?: unknown

  constructor({
    hint = "",
    confirmed,
    payload,
  }: {
    readonly hint?: string
    readonly confirmed: boolean
    readonly payload?: unknown
  }) {
    this.hint = hint
    this.confirmed = confirmed
    if (payload !== undefined) this.payload = payload
  }
}

export const createEventActions = (actions: Partial<EventActions> = {}): EventActions => ({
  stateDelta: {},
  artifactDelta: {},
  requestedToolConfirmations: {},
  ...actions,
})
