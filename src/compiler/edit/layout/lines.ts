/** Returns the offset at which the line that contains `offset` starts. */
export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1

/**
 * Returns the offset at which the line after `offset` starts. In the last line, returns the end of
 * the text.
 */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end + 1
}

/** Returns the white space at the start of the line that contains `offset`. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  let end = start
  while (end < offset && (text[end] === " " || text[end] === "\t")) end++
  return text.slice(start, end)
}

/**
 * Returns the line end of a text, LF or CR LF, as in its first line. If there is no line end,
 * returns LF.
 */
export const lineEndOf = (text: string): string =>
  /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n"

/**
 * Replaces the indentation `old` of each line by `indent`. If `isFirstKept` is true, the first line
 * is unchanged. Lines that contain only white space are unchanged.
 */
export function reindent(
  text: string,
  { old, indent, isFirstKept }: { old: string; indent: string; isFirstKept: boolean },
): string {
  if (old === indent) return text
  return text
    .split("\n")
    .map((line, index) => {
      if ((index === 0 && isFirstKept) || line.trim() === "") return line
      return line.startsWith(old) ? indent + line.slice(old.length) : indent + line.trimStart()
    })
    .join("\n")
}

/** Inserts `indent` at the start of each line that is not empty. */
export const indented = (text: string, indent: string): string =>
  text.replaceAll(/^(?=[^\r\n])/gm, indent)
