/**
 * Returns a function that yields to the event loop. Template evaluation calls it regularly, so that
 * concurrent calls take turns and a long template does not block other work.
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
