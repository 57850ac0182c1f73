/**
 * Escapes an object key for use as one segment of a JSON pointer (RFC 6901). For example, `a/b`
 * becomes `a~1b`.
 */
export const pointerToken = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/**
 * Unescapes one segment of a JSON pointer (RFC 6901) and returns the object key. For example,
 * `a~1b` becomes `a/b`.
 */
export const keyInToken = (token: string): string =>
  token.replaceAll("~1", "/").replaceAll("~0", "~")
