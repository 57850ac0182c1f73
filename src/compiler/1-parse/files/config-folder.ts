/**
 * A folder of config files, as the caller hands it in: the compiler itself opens nothing. Paths are relative to the folder, with
 * `/` and without `.` and `..` in them.
 */
export interface ConfigFolder {
  /** The file that the root agent stands in, `root_agent.yaml` in ADK. */
  readonly root: string
  /** The text of a file, or why there is none. What lies outside of the folder is not even looked for. */
  readonly open: (path: string) => OpenedFile
  /** Whether a `config_path` may lead out of the folder; such a path begins with `../` or `/`. */
  readonly mayBeLeft?: boolean
}

export type OpenedFile =
  | { readonly text: string }
  | {
      readonly refused: "missing" | "outside" | "unreadable"
      /** Completes the sentence `The file ... `, for `unreadable`. */ readonly says?: string
    }

/**
 * A folder in memory: a record of path -> text, for browsers and tests.
 *
 * @example
 * compile(folderOf({ "root_agent.yaml": "name: writer\nmodel: large\ninstruction: Write." }))
 */
export const folderOf = (
  files: Readonly<Record<string, string>>,
  root = "root_agent.yaml",
): ConfigFolder => ({
  root,
  open(path) {
    const text = Object.hasOwn(files, path) ? files[path] : undefined
    return text === undefined ? { refused: "missing" } : { text }
  },
})

export const isConfigFolder = (source: object): source is ConfigFolder =>
  "root" in source &&
  typeof source.root === "string" &&
  "open" in source &&
  typeof source.open === "function"
