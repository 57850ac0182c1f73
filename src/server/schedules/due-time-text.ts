/**
 * Formats a time in milliseconds since the epoch as ISO 8601 text without milliseconds, such as
 * `2026-11-23T08:00:00Z`. The time must be a whole number of seconds.
 */
export const dueTimeText = (time: number): string =>
  new Date(time).toISOString().replace(".000Z", "Z")
