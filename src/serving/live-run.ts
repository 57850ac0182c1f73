import type { RunEvent } from "../machines/run-event.js"
import type { Runner } from "../runtime/runner.js"
import type { Run } from "../runtime/run.js"
import type { RunServices } from "./run-services.js"

/** Events that grow at their end. Each reader goes at its own pace, so nobody's slowness costs memory or another's time. */
export interface EventSource {
  /** The first ones are there already. */
  readonly events: readonly RunEvent[]
  /** Nothing comes after those. */
  readonly isOver: boolean
  /** Settles when there is more, or nothing more to come. */
  changed(signal: AbortSignal): Promise<void>
}

/** A run that the studio carries on. */
export class LiveRun implements EventSource {
  readonly run: Run
  readonly events: RunEvent[] = []
  isOver = false
  /** Settles when the run is over or was left, and its services are closed. */
  readonly left: Promise<void>
  readonly #runner: Runner
  readonly #wakers = new Set<() => void>()

  constructor(run: Run, runner: Runner, services: RunServices) {
    this.run = run
    this.#runner = runner
    this.left = new Promise((resolve, reject) => {
      run.events$.subscribe({
        next: (event) => {
          // Readers go by the numbers of events, and deltas have none.
          if (event.type === "model.delta") return
          this.events.push(event)
          this.#wake()
        },
        complete: () => {
          this.isOver = true
          this.#wake()
          runner.close().then(() => services.close()).then(resolve, reject)
        },
      })
    })
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wakers.delete(wake)
        signal.removeEventListener("abort", wake)
        resolve()
      }
      this.#wakers.add(wake)
      signal.addEventListener("abort", wake, { once: true })
    })
  }

  /** Leaves the run as it is; it can be resumed. */
  async leave(): Promise<void> {
    await this.#runner.close()
    await this.left
  }

  #wake(): void {
    for (const wake of this.#wakers) wake()
  }
}
