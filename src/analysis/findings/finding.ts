/** A problem that the static analysis found in a chart, with a suggested fix. */
export interface Finding {
  readonly code: FindingCode
  /**
   * `error` means that runs cannot end. `warning` means that runs can end, but their behavior is
   * probably not intended.
   */
  readonly severity: "error" | "warning"
  readonly agent: string
  /**
   * Path of the state that has the problem. The path starts with the machine key, for example
   * `pipeline.pipeline.writer`. Absent if the problem is not about a state.
   */
  readonly state?: string
  /** The session state key that the problem is about. Absent if the problem is not about a key. */
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
