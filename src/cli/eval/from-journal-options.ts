/** Command-line options of `eval --from-journal`, which writes an eval set from recorded runs. */
export interface FromJournalOptions {
  /** Path of the journal with the recorded runs. True selects the default journal. */
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
