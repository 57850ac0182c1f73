/** Options of `eval --from-journal`. */
export interface FromJournalOptions {
  /** The journal; true: the default journal. */
  readonly fromJournal?: string | true
  readonly output?: string
  readonly run?: readonly string[]
  readonly status?: readonly string[]
  readonly name?: string
  readonly redact?: readonly string[]
  readonly redactKeys?: string
}

/** Options that only this form of the command accepts. */
export const fromJournalOptions = [
  "output",
  "run",
  "status",
  "name",
  "redact",
  "redactKeys",
] as const satisfies readonly (keyof FromJournalOptions)[]
