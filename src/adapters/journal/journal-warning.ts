/** A problem that a journal found but could ignore. */
export interface JournalWarning {
  readonly file: string
  readonly message: string
}
