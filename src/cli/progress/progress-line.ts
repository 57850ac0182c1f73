import type { Terminal } from "../terminal/terminal.js"
import { clip } from "../terminal/column-text.js"

/** A line in the terminal that shows the progress of a long operation until the operation ends. */
export interface ProgressLine {
  /**
   * Shows a description of the current step. Does nothing in the first two seconds, or if the
   * terminal cannot be redrawn.
   */
  show(text: string): void
  /** Removes the line. Call this method before you print other output. */
  clear(): void
}

/**
 * Time until the progress line appears (`delayMs`) and minimum time between two updates
 * (`pauseMs`), in milliseconds.
 */
const delayMs = 2_000
const pauseMs = 100

/** Creates a progress line. `now` returns the current time in milliseconds. */
export function progressLine(
  { isLive, redraw, size, paint }: Pick<Terminal, "isLive" | "redraw" | "size" | "paint">,
  now: () => number = () => performance.now(),
): ProgressLine {
  const startedAt = now()
  let changedAt = Number.NEGATIVE_INFINITY
  let isShown = false
  return {
    show(text) {
      const time = now()
      if (!isLive || time - startedAt < delayMs || time - changedAt < pauseMs) return
      changedAt = time
      const seconds = Math.round((time - startedAt) / 1000)
      redraw([paint.dim(clip(`${text} (${seconds} s)`, size().columns - 1))], isShown ? 1 : 0)
      isShown = true
    },
    clear() {
      if (isShown) redraw([], 1)
      isShown = false
    },
  }
}
