import { exitCodes } from "../exit-codes.js"

/** The first Ctrl-C calls `stop`, the second one ends the process at once. Returns the function that ends this. */
export function onInterrupt(stop: () => void): () => void {
  let asked = false
  const interrupt = (): void => {
    if (asked) process.exit(exitCodes.cancelled)
    asked = true
    stop()
  }
  process.on("SIGINT", interrupt)
  process.on("SIGTERM", interrupt)
  return () => {
    process.off("SIGINT", interrupt)
    process.off("SIGTERM", interrupt)
  }
}

/** Settles with the first Ctrl-C. */
export const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    const release = onInterrupt(() => {
      release()
      resolve()
    })
  })
