/** Something that a chart's analysis has found, in the user's own names. */
export interface Finding {
  readonly code: FindingCode
  /** An error keeps runs from ending; a warning is probably not what was meant. */
  readonly severity: "error" | "warning"
  readonly agent: string
  /** The state that it is about, after the key of its machine. */
  readonly state?: string
  /** The key of the session state that it is about. */
  readonly key?: string
  readonly message: string
  readonly fix: string
}

/** Every code of a {@link Finding}. Each has a paragraph in `docs/errors.md`. */
export const findingCodes = [
  "unreachable_state",
  "dead_end",
  "endless_ring",
  "unbounded_ring",
  "read_before_write",
  "branch_race",
  "overwritten_unread",
] as const

export type FindingCode = (typeof findingCodes)[number]
