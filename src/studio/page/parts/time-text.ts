/** Formats a point in time for users: as a time if it is today, otherwise as a date. */
export function timeText(time: number): string {
  const date = new Date(time)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday
    ? date.toLocaleTimeString()
    : date.toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })
}
