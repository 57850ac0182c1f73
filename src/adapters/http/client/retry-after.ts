/** Maximum delay of a timer in milliseconds. */
const longest = 2 ** 31 - 1

/**
 * Parses `Retry-After`, given in seconds or as a date, to milliseconds from `now`. undefined if it
 * is invalid.
 */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  const text = (typeof header === "string" ? header : header?.[0])?.trim()
  if (text === undefined || text === "") return undefined
  const wait = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.min(longest, Math.max(0, Math.round(wait)))
}
