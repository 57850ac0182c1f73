/** Escapes a key as one segment of a JSON pointer (RFC 6901). */
export const pointerToken = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** Unescapes one segment of a JSON pointer (RFC 6901). Returns the key that it contains. */
export const keyInToken = (token: string): string =>
  token.replaceAll("~1", "/").replaceAll("~0", "~")
