/**
 * An entry in the queue of a session. It belongs to a run that uses the session or waits for it.
 */
export interface SessionClaim {
  /** Called when this run may start to use the session. */
  acquired(): void
  /**
   * Called when another run starts to wait for the session that this run uses. If this run is
   * between two invocations, it must end and release the session.
   */
  requested(): void
}

/**
 * A queue of runs for each session. Only one run at a time uses a session. Runs use the session in
 * the order in which they were started (docs/semantics.md#sessions).
 */
export interface SessionQueue {
  /**
   * Adds a run to the queue of a session. If the session is free, calls `claim.acquired`
   * immediately. `session` is the key of the session as a string.
   */
  join(session: string, claim: SessionClaim): void
  /** Returns true if a run is waiting for the session. */
  isWanted(session: string): boolean
  /**
   * Removes a run from the queue of a session. If this run used the session, the next run in the
   * queue may use it.
   */
  leave(session: string, claim: SessionClaim): void
}

export function sessionQueue(): SessionQueue {
  // A `Set` has the insertion order and can delete any entry in constant time.
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
