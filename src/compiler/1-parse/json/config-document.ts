/** A config as plain JSON data, and where its values stand in the text that it was read from. */
export interface ConfigDocument {
  readonly value: unknown
  /** Where the value that a JSON pointer names starts, or its key. Undefined where there is no text. */
  readonly locate: (pointer: string, part: "key" | "value") => TextPosition | undefined
}

/** Both from 1; the column counts UTF-16 units, as editors do. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}
