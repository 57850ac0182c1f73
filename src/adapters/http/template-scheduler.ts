/**
 * Calls that compute their requests take turns: between two slices of work, of the same call or of two, the event loop
 * does everything else that is due.
 */
export function templateScheduler(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
