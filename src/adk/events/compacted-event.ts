import type { Event } from "./event.js"

/** An event that replaces earlier events of a conversation with a summary. */
export interface CompactedEvent extends Event {
  readonly isCompacted: true
  /** Time of the first event that the summary replaces, in milliseconds since the epoch. */
  readonly startTime: number
  /** Time of the last event that the summary replaces, in milliseconds since the epoch. */
  readonly endTime: number
  /** Text of the summary that replaces the events. */
  readonly compactedContent: string
}

/** Summarizes a list of events. The oldest event is first in the list. */
export interface BaseSummarizer {
  summarize(events: readonly Event[]): Promise<CompactedEvent>
}
