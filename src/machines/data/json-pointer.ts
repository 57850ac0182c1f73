/** Escapes a key as one segment of a JSON pointer (RFC 6901). */
export const pointerToken = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** Returns the key in a part of a JSON pointer. */
export const keyInToken = (token: string): string =>
  token.replaceAll("~1", "/").replaceAll("~0", "~")
