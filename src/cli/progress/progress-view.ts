import type { RunEvent } from "../../machines/contract/run-event.js"

/** Shows the progress of a run. */
export interface ProgressView {
  show(event: RunEvent): void
  /**
   * Receives an event that was emitted before this process resumed the run. Views that show the
   * current state need these events.
   */
  past?(event: RunEvent): void
  /** Stops drawing until the next event, for example to prompt the user. */
  pause(): void
  /** Closes the view permanently. */
  close(): void
}

/** A view without output, for `--quiet`. */
export const noView: ProgressView = { show() {}, pause() {}, close() {} }
