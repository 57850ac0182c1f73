import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Returns a function that compares a text with the token in constant time. */
export function isToken(token: string): (text: string) => boolean {
  const expected = digest(token)
  return (text) => timingSafeEqual(digest(text), expected)
}

/** Returns host name and port of a URL, without a default port. null if the URL is invalid. */
export const hostIn = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

/** Returns the host name of a URL. null if the URL is invalid. */
export const hostnameIn = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null
