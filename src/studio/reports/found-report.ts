/** A report file in the workspace. A command such as `faults` or `eval` has written it. */
export interface FoundReport<Content> {
  /** Path of the file relative to the workspace folder, with `/` as separator. */
  readonly path: string
  /** Time of the last change of the file, in milliseconds since the epoch. */
  readonly changedAt: number
  readonly content: Content
}
