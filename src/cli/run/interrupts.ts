import { exitCodes } from "../errors/exit-codes.js"

/**
 * Calls `stop` on the first Ctrl-C and ends the process on the second. Returns a function that
 * removes the handler.
 */
export function onInterrupt(stop: () => void): () => void {
  let isStopping = false
  const interrupt = (): void => {
    if (isStopping) process.exit(exitCodes.cancelled)
    isStopping = true
    stop()
  }
  process.on("SIGINT", interrupt)
  process.on("SIGTERM", interrupt)
  return () => {
    process.off("SIGINT", interrupt)
    process.off("SIGTERM", interrupt)
  }
}

/** Resolves on the first Ctrl-C. */
export const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    const release = onInterrupt(() => {
      release()
      resolve()
    })
  })
