/** A report file in the workspace that a command such as `faults` or `eval` has written. */
export interface FoundReport<Content> {
  /** Path relative to the workspace folder, with `/` as separator. */
  readonly path: string
  /** Time of the last change of the file, in milliseconds since the epoch. */
  readonly changedAt: number
  readonly content: Content
}
