import type { Event } from "./event.js"

/** An event that replaces earlier events with a summary. */
export interface CompactedEvent extends Event {
  readonly isCompacted: true
  /** Time of the first replaced event, in milliseconds since the epoch. */
  readonly startTime: number
  /** Time of the last replaced event, in milliseconds since the epoch. */
  readonly endTime: number
  /** Text of the summary. */
  readonly compactedContent: string
}

/** A summarizer for lists of events. The oldest event of a list is first. */
export interface BaseSummarizer {
  summarize(events: readonly Event[]): Promise<CompactedEvent>
}
