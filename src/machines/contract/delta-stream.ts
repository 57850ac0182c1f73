/**
 * A stream that receives the text of a model's response while the model generates it. Writing to
 * the stream is optional, because the run uses only the final response.
 */
export interface DeltaStream {
  /**
   * Returns whether the response must be streamed: someone has subscribed to its text, or the agent
   * has an `idleTimeout`. Call this function immediately before you send the request, because a
   * subscriber can join at any time.
   */
  hasSubscribers(): boolean
  /**
   * Emits the next segment of the response text. Text that is written after the call has ended is
   * dropped.
   */
  write(text: string): void
  /**
   * Reports that a part of the response has arrived, with or without text. Each part restarts the
   * agent's `idleTimeout`. `write` also reports a part.
   */
  keepAlive(): void
}

/**
 * The event for a segment of streamed model text. It is not stored in the journal, has the same
 * `seq` as the previous event, and is not replayed to later subscribers.
 */
export interface ModelDelta {
  readonly type: "model.delta"
  readonly call: string
  readonly attempt: number
  readonly text: string
}
