/**
 * Receives the text of a model while it streams. Streaming is optional: only the final response is
 * journaled and used.
 */
export interface DeltaStream {
  /**
   * Returns whether there is a subscriber. Check this when you send the request, because
   * subscribers can join after the call starts.
   */
  hasSubscribers(): boolean
  /** Reports more text of the response. Text that arrives after the end of the call is dropped. */
  write(text: string): void
}
