/** Maximum delay of a JavaScript timer in milliseconds. Longer delays are reduced to this value. */
const longest = 2 ** 31 - 1

/**
 * Parses a `Retry-After` header, which contains seconds or a date. Returns the delay in
 * milliseconds from `now`, or undefined if the header is missing or invalid.
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
