/**
 * A stream to which a model service writes the text of a response while the model generates it.
 * Writing to the stream is optional, because the run uses only the final response.
 */
export interface DeltaStream {
  /**
   * Returns whether the response must be streamed. It must be streamed if someone has subscribed to
   * its text, or if the agent has an `idleTimeout`. Call this function immediately before you send
   * the request, because a subscriber can join at any time.
   */
  hasSubscribers(): boolean
  /**
   * Emits the next segment of the response text. Text that is written after the call has ended is
   * ignored.
   */
  write(text: string): void
  /**
   * Reports that a part of the response has arrived, even without text. Each part restarts the
   * agent's `idleTimeout`. You do not need to call this function after `write`.
   */
  keepAlive(): void
}

/**
 * The event for a segment of streamed model text. The event is not stored in the journal and is not
 * replayed to later subscribers. It has the same `seq` as the previous event.
 */
export interface ModelDelta {
  readonly type: "model.delta"
  readonly call: string
  readonly attempt: number
  readonly text: string
}
