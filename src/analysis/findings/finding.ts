/** A problem that the analysis found in a chart. */
export interface Finding {
  readonly code: FindingCode
  /**
   * `error`: runs cannot end. `warning`: runs are possible, but probably behave differently than
   * intended.
   */
  readonly severity: "error" | "warning"
  readonly agent: string
  /** Path of the state that has the problem. The path starts with the machine key. */
  readonly state?: string
  /** The session state key that the problem is about. */
  readonly key?: string
  readonly message: string
  readonly fix: string
}

/** All values of `Finding.code`. `docs/errors.md` describes each code. */
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
