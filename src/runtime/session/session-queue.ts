/** A run that uses a session or waits for it. */
export interface SessionClaim {
  /** Called when the run becomes the one that uses the session. */
  acquired(): void
  /** Called when another run waits for the session. An idle run then finishes. */
  requested(): void
}

/**
 * Lets the runs of one session execute one after the other, in the order in which they were started
 * (docs/semantics.md#sessions).
 */
export interface SessionQueue {
  /** Adds a run to the queue of a session. Calls `acquired` at once if the session is free. */
  join(session: string, claim: SessionClaim): void
  /** Returns whether another run waits for this session. */
  isWanted(session: string): boolean
  /** Removes a run from the queue. If it used the session, the next run acquires it. */
  leave(session: string, claim: SessionClaim): void
}

export function sessionQueue(): SessionQueue {
  // A set keeps the order, and deletes from the middle in constant time.
  const queues = new Map<string, Set<SessionClaim>>()
  const first = (queue: ReadonlySet<SessionClaim>): SessionClaim | undefined =>
    queue.values().next().value
  return {
    join(session, claim) {
      const queue = queues.get(session)
      if (queue === undefined) {
        queues.set(session, new Set([claim]))
        claim.acquired()
        return
      }
      queue.add(claim)
      first(queue)?.requested()
    },
    isWanted: (session) => (queues.get(session)?.size ?? 0) > 1,
    leave(session, claim) {
      const queue = queues.get(session)
      if (queue === undefined || !queue.has(claim)) return
      const wasFirst = first(queue) === claim
      queue.delete(claim)
      if (queue.size === 0) queues.delete(session)
      else if (wasFirst) first(queue)?.acquired()
    },
  }
}
