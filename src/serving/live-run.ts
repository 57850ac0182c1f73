import { isLiveOnly } from "../machines/contract/model-event.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import type { Run } from "../runtime/run/run.js"
import { deltaReader, PartialResponses } from "./partial-responses.js"

/**
 * A growing list of run events. Each reader keeps its own read position, so a slow reader needs no
 * buffer and does not delay other readers.
 */
export interface EventFeed {
  /** All events that the run has emitted so far. */
  readonly events: readonly RunEvent[]
  /** Whether the list is complete because the run emits no further events. */
  readonly hasEnded: boolean
  /** Text of model responses that are being generated. Null if another process executes the run. */
  readonly partialResponses: PartialResponses | null
  /**
   * Resolves when an event or a piece of model text (a delta) is added, when the list is complete,
   * or when `signal` is aborted.
   */
  nextChange(signal: AbortSignal): Promise<void>
}

/** A run that this process executes, with the list of its events. */
export class LiveRun implements EventFeed {
  readonly run: Run
  readonly events: RunEvent[] = []
  readonly partialResponses = new PartialResponses()
  hasEnded = false
  /** Resolves when the run has ended, or when its runner was closed. */
  readonly ended: Promise<void>
  /** Resolves after `ended`, when the services of the run have been closed. */
  readonly closed: Promise<void>
  readonly #wakers = new Set<() => void>()

  /**
   * `close` must release the services of the run. It is called once, after `ended` has resolved.
   */
  constructor(run: Run, close: () => Promise<void>) {
    this.run = run
    this.ended = new Promise((resolve) => {
      run.events$.subscribe({
        next: (event) => {
          this.partialResponses.next(event)
          // The index of an event must equal its sequence number. Deltas and waiting times have no
          // sequence number of their own.
          if (!isLiveOnly(event)) this.events.push(event)
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
   * Yields the events from index `from` until the run has no call in flight. Between the events,
   * also yields the text that models are generating, as deltas. When the iteration ends, returns
   * the result of the run.
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
      // New events may have been added while the consumer handled the deltas.
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
