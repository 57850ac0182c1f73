import { Observable } from "rxjs"
import type { RunEvent } from "../machines/run-event.js"

/** The events of one run in their order. A late subscriber gets the past first; the stream completes with the run. */
export class EventLog {
  readonly #past: RunEvent[] = []
  readonly #listeners = new Set<() => void>()
  #complete = false

  readonly events$: Observable<RunEvent> = new Observable((subscriber) => {
    let next = 0
    const catchUp = (): void => {
      for (let event = this.#past[next]; event !== undefined && !subscriber.closed; event = this.#past[next]) {
        next++
        subscriber.next(event)
      }
      if (this.#complete) subscriber.complete()
    }
    // While the past is handed out, new events only make it longer: the order holds even if a subscriber causes some.
    let busy = true
    catchUp()
    busy = false
    const listener = (): void => {
      if (busy) return
      busy = true
      catchUp()
      busy = false
    }
    catchUp()
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  })

  get length(): number {
    return this.#past.length
  }

  append(event: RunEvent): void {
    this.#past.push(event)
    for (const listener of this.#listeners) listener()
  }

  close(): void {
    this.#complete = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
