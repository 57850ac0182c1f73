import type { RunEvent } from "../../machines/contract/run-event.js"

/** Shows the progress of a run. */
export interface ProgressView {
  show(event: RunEvent): void
  /**
   * Receives an event from before this process resumed the run. Views of the current state need it.
   */
  past?(event: RunEvent): void
  /** Releases the screen until the next event. */
  pause(): void
  /** Closes the view permanently. */
  close(): void
}

/** Shows nothing, for `--quiet`. */
export const noView: ProgressView = { show() {}, pause() {}, close() {} }
