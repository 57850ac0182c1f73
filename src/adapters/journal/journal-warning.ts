/** A problem in a journal (the store of runs) that does not prevent the use of the journal. */
export interface JournalWarning {
  readonly file: string
  readonly message: string
}
