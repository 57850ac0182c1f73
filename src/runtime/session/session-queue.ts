/** An entry of a `SessionQueue`: a run that uses a session or waits for it. */
export interface SessionClaim {
  /** Called when the run may start to use the session. */
  acquired(): void
  /**
   * Called when another run starts to wait for the session that this run uses. If this run is idle,
   * it then ends and releases the session.
   */
  requested(): void
}

/**
 * A queue of runs for each session, so that only one run at a time uses a session. Runs use it in
 * the order in which they were started (docs/semantics.md#sessions).
 */
export interface SessionQueue {
  /**
   * Adds a run to the queue of a session. If the session is free, `acquired` of the claim is called
   * immediately.
   */
  join(session: string, claim: SessionClaim): void
  /** Returns whether a run is waiting for the session. */
  isWanted(session: string): boolean
  /**
   * Removes a run from the queue of a session. If the run used the session, the next run in the
   * queue acquires it.
   */
  leave(session: string, claim: SessionClaim): void
}

export function sessionQueue(): SessionQueue {
  // A `Set` keeps the insertion order and can delete any entry in constant time.
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
