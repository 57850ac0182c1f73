/**
 * Receives the text of a model's response while it streams. Services may ignore it, because only
 * the final response is stored in the journal and used.
 */
export interface DeltaStream {
  /**
   * Returns whether there is a subscriber. Call it when you send the request, because
   * subscribers can join after the call starts.
   */
  hasSubscribers(): boolean
  /** Reports more text of the response. Text that arrives after the end of the call is dropped. */
  write(text: string): void
}
