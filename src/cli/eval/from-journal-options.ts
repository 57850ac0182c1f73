/** Options of `eval --from-journal`. */
export interface FromJournalOptions {
  /** Location of the journal. true: the default journal. */
  readonly fromJournal?: string | true
  readonly output?: string
  readonly run?: readonly string[]
  readonly status?: readonly string[]
  readonly name?: string
  readonly redact?: readonly string[]
  readonly redactKeys?: string
}

/** Options that `eval` accepts only together with `--from-journal`. */
export const fromJournalOptions = [
  "output",
  "run",
  "status",
  "name",
  "redact",
  "redactKeys",
] as const satisfies readonly (keyof FromJournalOptions)[]
