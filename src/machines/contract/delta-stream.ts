/**
 * Receives the text of a model's response while the response is streamed. Writing to the stream is
 * optional, because the run uses only the final response.
 */
export interface DeltaStream {
  /**
   * Returns whether the streamed text has a subscriber. Call this function immediately before you
   * send the request, because a subscriber can join at any time.
   */
  hasSubscribers(): boolean
  /**
   * Emits the next segment of the response text. Text that is written after the end of the call is
   * dropped.
   */
  write(text: string): void
}
