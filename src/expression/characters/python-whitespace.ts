/**
 * Returns whether Python treats a character as whitespace in `str.isspace`, `strip` and `split`.
 * JavaScript's whitespace differs from Python's for U+FEFF and U+001C to U+001F.
 */
export function isPythonSpace(code: number): boolean {
  if (code < 128) return (code >= 9 && code <= 13) || (code >= 28 && code <= 32)
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/**
 * Returns the index of the first character in the range `from` to `to` that is not whitespace, or
 * `to` if there is none. Does not use a regular expression, because `/\s+$/` can take seconds for a
 * malicious text.
 */
export function skipSpace(text: string, from: number, to: number): number {
  while (from < to && isPythonSpace(text.charCodeAt(from))) from++
  return from
}

/**
 * Searches backwards from `to` for the last character that is not whitespace, and returns the index
 * after this character. Returns `from` if there is none.
 */
export function skipSpaceBack(text: string, from: number, to: number): number {
  while (to > from && isPythonSpace(text.charCodeAt(to - 1))) to--
  return to
}
