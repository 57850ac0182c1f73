import type { RunEvent } from "../../machines/contract/run-event.js"

/** A view that shows the progress of a run. */
export interface ProgressView {
  show(event: RunEvent): void
  /**
   * Receives an event that the run emitted before this process resumed it. Only views that show the
   * current state of the run need these events.
   */
  replayEvent?(event: RunEvent): void
  /** Stops drawing until the next event, for example to prompt the user. */
  pause(): void
  /** Closes the view permanently. */
  close(): void
}

/** A view without output, for `--quiet`. */
export const noView: ProgressView = { show() {}, pause() {}, close() {} }
