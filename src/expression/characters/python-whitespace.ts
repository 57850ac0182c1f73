/** The characters that `str.isspace` knows, which `strip` and `split` remove. JavaScript's own list differs (U+FEFF, U+001C). */
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

/** Offset of the first character that is no whitespace; scanned, because `/\s+$/` takes seconds on hostile input. */
export function skipSpace(text: string, from: number, to: number): number {
  while (from < to && isPythonSpace(text.charCodeAt(from))) from++
  return from
}

/** Offset behind the last character that is no whitespace. */
export function skipSpaceBack(text: string, from: number, to: number): number {
  while (to > from && isPythonSpace(text.charCodeAt(to - 1))) to--
  return to
}
