/**
 * Formats a time in milliseconds since the epoch for users. The result is the time of day if it is
 * today, otherwise the date and time.
 */
export function timeText(time: number): string {
  const date = new Date(time)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday
    ? date.toLocaleTimeString()
    : date.toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })
}
