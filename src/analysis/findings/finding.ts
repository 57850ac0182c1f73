/** A problem that the analysis found in a chart. */
export interface Finding {
  readonly code: FindingCode
  /** `error`: runs cannot end. `warning`: the chart runs, but probably not as intended. */
  readonly severity: "error" | "warning"
  readonly agent: string
  /** Path of the state with the problem, starting with the machine key. */
  readonly state?: string
  /** The session state key that the problem concerns. */
  readonly key?: string
  readonly message: string
  readonly fix: string
}

/** All codes of a {@link Finding}. `docs/errors.md` describes each of them. */
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
