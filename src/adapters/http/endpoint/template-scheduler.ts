/**
 * Yields to the event loop between slices of template evaluation. Concurrent calls take turns, so
 * that long templates do not block other work.
 */
export function templateScheduler(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
