import type { Event } from "./event.js"

/** An event that replaces earlier events by a summary. */
export interface CompactedEvent extends Event {
  readonly isCompacted: true
  /** Time of the first event that it replaces, in milliseconds since the epoch. */
  readonly startTime: number
  /** Time of the last event that it replaces, in milliseconds since the epoch. */
  readonly endTime: number
  /** The summary. */
  readonly compactedContent: string
}

/** Summarizes events, oldest first. */
export interface BaseSummarizer {
  summarize(events: readonly Event[]): Promise<CompactedEvent>
}
