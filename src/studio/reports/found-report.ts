/** A report file in the workspace, which another command has written. */
export interface FoundReport<Content> {
  /** Path relative to the folder of the workspace, with `/`. */
  readonly path: string
  /** Time of the last change of the file, in milliseconds since the epoch. */
  readonly changedAt: number
  readonly content: Content
}
