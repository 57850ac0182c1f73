import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Whether a text is the token, told in a time that says nothing of either. */
export function isToken(token: string): (given: string) => boolean {
  const expected = digest(token)
  return (given) => timingSafeEqual(digest(given), expected)
}

/** Name and port in an address, without the port that its scheme implies; null where it is none. */
export const hostIn = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

/** The name of a host in an address; null where it is none. */
export const hostnameIn = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null
