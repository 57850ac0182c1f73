/** A problem in a journal that does not prevent its use. */
export interface JournalWarning {
  readonly file: string
  readonly message: string
}
