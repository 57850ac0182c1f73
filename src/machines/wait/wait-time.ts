import type { SessionState } from "../data/session-state.js"
import { fillPrompt } from "../human/prompt-template.js"

/** A time, or the reason why a text is not a time. */
export type WaitTime =
  | { readonly time: number }
  /** End of a sentence about the value. */
  | { readonly problem: string }

/** Matches an ISO 8601 time with a time zone, and captures its date. */
const isoTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Matches a time in milliseconds since the epoch. */
const milliseconds = /^\d{1,15}$/

/**
 * Parses a time: ISO 8601 with a time zone, or milliseconds since the epoch. Returns null for all
 * other texts. A time without a time zone is rejected, because its meaning would depend on the
 * computer.
 */
export function parseTime(text: string): number | null {
  const trimmed = text.trim()
  if (milliseconds.test(trimmed)) return Number(trimmed)
  if (!isoTime.test(trimmed)) return null
  const time = Date.parse(trimmed)
  return Number.isNaN(time) ? null : time
}

/** Returns the time in the field `until` of a WaitAgent, with its placeholders filled. */
export function waitTime(until: string, state: SessionState): WaitTime {
  const { text, missing } = fillPrompt(until, state)
  const [key] = missing
  if (key !== undefined) return { problem: `the session state has no key "${key}"` }
  const time = parseTime(text)
  return time === null
    ? {
        problem: `its value ${JSON.stringify(text)} is not a time; write an ISO time with a time zone, such as 2026-11-23T08:00:00Z, or milliseconds since the epoch`,
      }
    : { time }
}
