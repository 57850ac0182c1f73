import type { Terminal } from "./terminal.js"

/** Resolves on the first Ctrl-C. */
export const untilInterrupted = (terminal: Pick<Terminal, "onInterrupt">): Promise<void> =>
  new Promise((resolve) => {
    const release = terminal.onInterrupt(() => {
      release()
      resolve()
    })
  })
