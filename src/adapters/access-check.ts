import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/**
 * Returns a function that checks whether a text equals the access token `token`. Each comparison
 * takes constant time, so its duration does not reveal the token.
 */
export function isToken(token: string): (text: string) => boolean {
  const expected = digest(token)
  return (text) => timingSafeEqual(digest(text), expected)
}

/**
 * Returns the host name and the port of a URL, for example `example.com:8080`. A default port is
 * omitted. Returns null if the URL is invalid.
 */
export const hostIn = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

/** Returns the host name of a URL, without its port. Returns null if the URL is invalid. */
export const hostnameIn = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null
