// The same class as that of "rxjs", without the two hundred files of operators beside it: they were almost half of what it took to import a runner.
import { Observable } from "rxjs/internal/Observable"
import type { Announcement, Milestone, RunEvent } from "../machines/run-event.js"

/** The events of one run in their order. A late subscriber gets the past first; the stream completes with the run. */
export class EventLog {
  readonly #runId: string
  readonly #past: { readonly at: number; readonly event: Announcement | Milestone }[] = []
  readonly #listeners = new Set<() => void>()
  #complete = false

  constructor(runId: string) {
    this.#runId = runId
  }

  readonly events$: Observable<RunEvent> = new Observable((subscriber) => {
    let next = 0
    const catchUp = (): void => {
      for (let entry = this.#past[next]; entry !== undefined && !subscriber.closed; entry = this.#past[next]) {
        const seq = next++
        subscriber.next({ seq, at: entry.at, runId: this.#runId, ...entry.event })
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

  append(at: number, event: Announcement | Milestone): void {
    this.#past.push({ at, event })
    for (const listener of this.#listeners) listener()
  }

  close(): void {
    this.#complete = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
