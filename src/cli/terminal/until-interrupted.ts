import type { Terminal } from "./terminal.js"

/** Returns a promise that resolves when the user presses Ctrl-C. */
export const untilInterrupted = (terminal: Pick<Terminal, "onInterrupt">): Promise<void> =>
  new Promise((resolve) => {
    const release = terminal.onInterrupt(() => {
      release()
      resolve()
    })
  })
