/** The identity of a document of a config: its file path and its number. */
export interface DocumentName {
  /**
   * Path relative to the folder of the config, with `/` as separator. Null for a config that is not
   * in a folder.
   */
  readonly file: string | null
  /**
   * Number of the document, in the order in which the compiler opens documents, starting at 0.
   * Diagnostics are sorted by this number.
   */
  readonly ordinal: number
}

/**
 * One document of a config (a text or an object) as plain JSON data, with the text positions of its
 * values.
 */
export interface ConfigDocument extends DocumentName {
  readonly format: "object" | "json" | "yaml"
  readonly value: unknown
  /**
   * The root node of a YAML text, with its source tokens. It is a `Node` of the package `yaml`,
   * which is not installed with this package. Undefined for other formats.
   */
  readonly yaml?: object | null
  /**
   * Returns the text position of the value at a JSON pointer, or the position of its key. Returns
   * undefined if the config is not text.
   */
  readonly locate: (pointer: string, part: "key" | "value") => TextPosition | undefined
}

/**
 * A position in a text. Line and column start at 1. The column counts UTF-16 units, as editors do.
 */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The name of the single document of a config that is not a folder. */
export const onlyDocument: DocumentName = { file: null, ordinal: 0 }

/**
 * Returns the name of a document in diagnostics, such as `The config` or
 * `The file "team/writer.yaml"`.
 */
export const titleOf = ({ file }: DocumentName): string =>
  file === null ? "The config" : `The file ${JSON.stringify(file)}`
