/**
 * Returns whether `str.isspace`, `strip` and `split` treat a character as whitespace. JavaScript's
 * whitespace differs from Python's for U+FEFF and U+001C to U+001F.
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
 * Returns the offset of the first character from `from` on that is not whitespace. Does not use a
 * regular expression, because `/\s+$/` can take seconds for a malicious text.
 */
export function skipSpace(text: string, from: number, to: number): number {
  while (from < to && isPythonSpace(text.charCodeAt(from))) from++
  return from
}

/** Returns the offset after the last character before `to` that is not whitespace. */
export function skipSpaceBack(text: string, from: number, to: number): number {
  while (to > from && isPythonSpace(text.charCodeAt(to - 1))) to--
  return to
}
