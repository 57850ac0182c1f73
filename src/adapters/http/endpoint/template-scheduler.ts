/**
 * Creates a function whose promise resolves in a later turn of the event loop. The evaluation of
 * templates calls the function regularly, so that a long template does not block concurrent calls
 * and other work.
 */
export function templateScheduler(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    // Browsers and some workers have no `setImmediate`.
    if (typeof setImmediate === "function") setImmediate(resolve)
    else setTimeout(resolve)
  })
