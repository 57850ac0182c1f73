/** Returns the time of today, or the date of an earlier day. */
export function timeText(time: number): string {
  const date = new Date(time)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday
    ? date.toLocaleTimeString()
    : date.toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })
}
