/**
 * A folder of config files. The caller provides it, because the compiler does not open files. All
 * paths are relative to the folder, use `/` as separator, and contain no `.` or `..` segments.
 */
export interface ConfigFolder {
  /** Path of the file with the root agent. In ADK, this is `root_agent.yaml`. */
  readonly root: string
  /**
   * Returns the text of a file, or the reason why the file cannot be opened. The compiler only
   * passes a path outside the folder if `mayBeLeft` is true.
   */
  readonly open: (path: string) => OpenedFile
  /**
   * Whether a `config_path` in a config may refer to a file outside the folder. If true, paths may
   * also start with `../` or `/`. Default: false.
   */
  readonly mayBeLeft?: boolean
}

export type OpenedFile =
  | { readonly text: string }
  | {
      readonly refused: "missing" | "outside" | "unreadable"
      /**
       * Why a file with the reason `unreadable` cannot be read. The text completes the sentence
       * `The file ... `, for example `is not a regular file`.
       */
      readonly problem?: string
    }

/**
 * Creates a folder in memory from a record of file texts by path, for browsers and tests.
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
