import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import type { Run } from "../runtime/run/run.js"
import { deltaReader, PartialResponses } from "./partial-responses.js"

/** Events that grow at their end. Each reader goes at its own pace, so nobody's slowness costs memory or another's time. */
export interface EventSource {
  /** The first ones are there already. */
  readonly events: readonly RunEvent[]
  /** Nothing comes after those. */
  readonly isOver: boolean
  /** What is being said and is in no event yet; null where that is not known. */
  readonly saying: PartialResponses | null
  /** Settles when there is more, or nothing more to come. */
  changed(signal: AbortSignal): Promise<void>
}

/** A run that this process carries on. */
export class LiveRun implements EventSource {
  readonly run: Run
  readonly events: RunEvent[] = []
  readonly saying = new PartialResponses()
  isOver = false
  /** Settles when the run is over or was left. */
  readonly over: Promise<void>
  /** Settles when the run is over or was left, and what it needed is closed. */
  readonly left: Promise<void>
  readonly #wakers = new Set<() => void>()

  /** `close`: what is to be done when the run is over or was left. */
  constructor(run: Run, close: () => Promise<void>) {
    this.run = run
    this.over = new Promise((resolve) => {
      run.events$.subscribe({
        next: (event) => {
          this.saying.next(event)
          // Readers go by the numbers of events, and deltas have none.
          if (event.type !== "model.delta") this.events.push(event)
          this.#wake()
        },
        complete: () => {
          this.isOver = true
          this.#wake()
          resolve()
        },
      })
    })
    this.left = this.over.then(close)
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

  /** The events from a position on, with the deltas between them, until nothing is in flight, and then how the run stands. */
  async *untilRest(from: number, signal: AbortSignal): AsyncGenerator<RunEvent, RunResult> {
    let isAtRest = false
    const resting = this.run.whenSettled().then(() => void (isAtRest = true))
    const said = deltaReader(this.saying)
    let next = from
    while (!signal.aborted) {
      for (let event = this.events[next]; event !== undefined; event = this.events[++next])
        yield event
      if (isAtRest || this.isOver) break
      const deltas = said()
      yield* deltas
      // More may have come while they were read.
      if (deltas.length > 0) continue
      const waiting = new AbortController()
      const end = (): void => waiting.abort()
      signal.addEventListener("abort", end, { once: true })
      await Promise.race([this.changed(waiting.signal), resting])
      signal.removeEventListener("abort", end)
      waiting.abort()
    }
    return this.run.snapshot()
  }

  #wake(): void {
    for (const wake of this.#wakers) wake()
  }
}
