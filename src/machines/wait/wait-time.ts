import type { SessionState } from "../data/session-state.js"
import { fillPrompt } from "../human/prompt-template.js"

/**
 * The time at which a WaitAgent ends its wait, in milliseconds since the epoch, or the reason why
 * there is no valid time.
 */
export type WaitTime =
  | { readonly time: number }
  /** The reason why there is no valid time, worded as the end of an error message. */
  | { readonly problem: string }

/**
 * Matches an ISO 8601 time with a time zone, such as `2026-11-23T08:00:00Z`, and captures the date.
 */
const isoTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Matches a number of milliseconds since the epoch. */
const milliseconds = /^\d{1,15}$/

/**
 * Parses an ISO 8601 time with a time zone, or a number of milliseconds since the epoch. Returns
 * milliseconds since the epoch, or null for any other text. A time without a time zone is rejected,
 * because its meaning would depend on the computer.
 */
export function parseTime(text: string): number | null {
  const trimmed = text.trim()
  if (milliseconds.test(trimmed)) return Number(trimmed)
  if (!isoTime.test(trimmed)) return null
  const time = Date.parse(trimmed)
  return Number.isNaN(time) ? null : time
}

/**
 * Replaces the placeholders in the field `until` of a WaitAgent with values of the session state,
 * and parses the result as a time.
 */
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
