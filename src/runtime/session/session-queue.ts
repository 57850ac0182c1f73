/** A run that has a session or waits for it. */
export interface Claim {
  /** The session is this run's now. */
  begin(): void
  /** Another run waits for it: one that only rests finishes. */
  yieldSession(): void
}

/** Runs the runs of one session one after the other, in the order in which they were started (docs/semantics.md#sessions). */
export interface SessionQueue {
  join(session: string, claim: Claim): void
  /** Whether another run waits for this session. */
  isWanted(session: string): boolean
  leave(session: string, claim: Claim): void
}

export function sessionQueue(): SessionQueue {
  // A set keeps its order, and taking one out costs the same wherever it stands.
  const lines = new Map<string, Set<Claim>>()
  const first = (line: ReadonlySet<Claim>): Claim | undefined => line.values().next().value
  return {
    join(session, claim) {
      const line = lines.get(session)
      if (line === undefined) {
        lines.set(session, new Set([claim]))
        claim.begin()
        return
      }
      line.add(claim)
      first(line)?.yieldSession()
    },
    isWanted: (session) => (lines.get(session)?.size ?? 0) > 1,
    leave(session, claim) {
      const line = lines.get(session)
      if (line === undefined || !line.has(claim)) return
      const hadIt = first(line) === claim
      line.delete(claim)
      if (line.size === 0) lines.delete(session)
      else if (hadIt) first(line)?.begin()
    },
  }
}
