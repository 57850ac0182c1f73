/** A report that another command has written into the workspace. */
export interface FoundReport<Content> {
  /** Path relative to the folder of the workspace, with `/`. */
  readonly path: string
  /** Time of the last change of the file, in milliseconds since the epoch. */
  readonly changedAt: number
  readonly content: Content
}
