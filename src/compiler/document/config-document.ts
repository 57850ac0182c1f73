/** Which of a config's documents something belongs to. */
export interface DocumentName {
  /** Path relative to the folder of the config, with `/`; null for a config that stands alone. */
  readonly file: string | null
  /** Documents are numbered as they are opened; what is said comes in this order. */
  readonly ordinal: number
}

/** One text or object of a config as plain JSON data, and where its values stand in the text that it was read from. */
export interface ConfigDocument extends DocumentName {
  readonly format: "object" | "json" | "yaml"
  readonly value: unknown
  /** Where the value that a JSON pointer names starts, or its key. Undefined where there is no text. */
  readonly locate: (pointer: string, part: "key" | "value") => TextPosition | undefined
}

/** Both from 1; the column counts UTF-16 units, as editors do. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** A config that is no folder has one document. */
export const onlyDocument: DocumentName = { file: null, ordinal: 0 }

/** What messages call a document: `The config`, `The file "team/writer.yaml"`. */
export const titleOf = ({ file }: DocumentName): string =>
  file === null ? "The config" : `The file ${JSON.stringify(file)}`
