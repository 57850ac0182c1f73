import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import type { Run } from "../runtime/run/run.js"
import { deltaReader, PartialResponses } from "./partial-responses.js"

/**
 * A growing list of run events. Each reader keeps its own position, so a slow reader neither uses
 * memory nor delays others.
 */
export interface EventFeed {
  /** All events so far. */
  readonly events: readonly RunEvent[]
  /** Whether no more events will be added. */
  readonly hasEnded: boolean
  /** Responses that models are streaming now. null if another process executes the run. */
  readonly partialResponses: PartialResponses | null
  /** Resolves when an event or delta was added, when the feed has ended, or on abort. */
  nextChange(signal: AbortSignal): Promise<void>
}

/** A run that this process executes. */
export class LiveRun implements EventFeed {
  readonly run: Run
  readonly events: RunEvent[] = []
  readonly partialResponses = new PartialResponses()
  hasEnded = false
  /** Resolves when the run has finished, or was closed without ending. */
  readonly ended: Promise<void>
  /** Resolves after `ended`, when the services of the run are closed. */
  readonly closed: Promise<void>
  readonly #wakers = new Set<() => void>()

  /** `close` releases the services of the run. It is called once, when the run has ended. */
  constructor(run: Run, close: () => Promise<void>) {
    this.run = run
    this.ended = new Promise((resolve) => {
      run.events$.subscribe({
        next: (event) => {
          this.partialResponses.next(event)
          // Readers use the sequence number of an event as its index. Deltas have none of their own.
          if (event.type !== "model.delta") this.events.push(event)
          this.#wake()
        },
        complete: () => {
          this.hasEnded = true
          this.#wake()
          resolve()
        },
      })
    })
    this.closed = this.ended.then(close)
  }

  nextChange(signal: AbortSignal): Promise<void> {
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

  /**
   * Yields the events from index `from` on, with the deltas between them, until the run has settled (no
   * call is in flight). Returns the result of the run at that time.
   */
  async *eventsUntilSettled(
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, RunResult> {
    let isSettled = false
    const settled = this.run.whenSettled().then(() => void (isSettled = true))
    const readDeltas = deltaReader(this.partialResponses)
    let next = from
    while (!signal.aborted) {
      for (let event = this.events[next]; event !== undefined; event = this.events[++next])
        yield event
      if (isSettled || this.hasEnded) break
      const deltas = readDeltas()
      yield* deltas
      // While the consumer handled the deltas, more events may have been added.
      if (deltas.length > 0) continue
      const waiting = new AbortController()
      const stopWaiting = (): void => waiting.abort()
      signal.addEventListener("abort", stopWaiting, { once: true })
      await Promise.race([this.nextChange(waiting.signal), settled])
      signal.removeEventListener("abort", stopWaiting)
      waiting.abort()
    }
    return this.run.snapshot()
  }

  #wake(): void {
    for (const wake of this.#wakers) wake()
  }
}
