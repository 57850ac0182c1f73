/** Something that a journal found and went on from. */
export interface JournalWarning {
  readonly file: string
  readonly message: string
}
