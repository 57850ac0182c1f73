import type { RunEvent } from "../../machines/contract/run-event.js"

/** Shows the progress of a run in the terminal. */
export interface ProgressView {
  show(event: RunEvent): void
  /**
   * Receives an event that the run emitted before this process resumed it. Only views that show the
   * current state of the run need these events.
   */
  replayEvent?(event: RunEvent): void
  /** Stops drawing until the next event, for example while the user is prompted. */
  pause(): void
  /** Closes the view permanently, when the run ends or stops. */
  close(): void
}

/** A progress view without output, for the option `--quiet`. */
export const noView: ProgressView = { show() {}, pause() {}, close() {} }
