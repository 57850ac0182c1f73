/** Formats a time of whole seconds as ISO text, such as `2026-11-23T08:00:00Z`. */
export const dueTimeText = (time: number): string =>
  new Date(time).toISOString().replace(".000Z", "Z")
