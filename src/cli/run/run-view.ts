import type { RunEvent } from "../../machines/contract/run-event.js"

/** How a run is shown while it goes on. */
export interface RunView {
  show(event: RunEvent): void
  /** What happened before this process took the run up; a view of how things stand needs it. */
  past?(event: RunEvent): void
  /** Leaves the screen to somebody else until the next event. */
  pause(): void
  /** For good. */
  close(): void
}

export const noView: RunView = { show() {}, pause() {}, close() {} }
