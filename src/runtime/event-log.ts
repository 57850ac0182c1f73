// The same class as that of "rxjs", without the two hundred files of operators beside it: they were almost half of what it took to import a runner.
import { Observable } from "rxjs/internal/Observable"
import type { Announcement, Milestone, RunEvent } from "../machines/run-event.js"

interface Entry {
  readonly at: number
  readonly event: Announcement | Milestone
}

interface Listener {
  /** There is more of the past. */
  catchUp(): void
  /** What is told now and not kept. */
  hear(entry: Entry): void
}

/** The events of one run in their order. A late subscriber gets the past first; the stream completes with the run. */
export class EventLog {
  readonly #runId: string
  readonly #past: Entry[] = []
  readonly #listeners = new Set<Listener>()
  #complete = false

  constructor(runId: string) {
    this.#runId = runId
  }

  readonly events$: Observable<RunEvent> = new Observable((subscriber) => {
    let next = 0
    const tell = (seq: number, { at, event }: Entry): void => subscriber.next({ seq, at, runId: this.#runId, ...event })
    const tellPast = (): void => {
      for (let entry = this.#past[next]; entry !== undefined && !subscriber.closed; entry = this.#past[next]) tell(next++, entry)
      if (this.#complete) subscriber.complete()
    }
    // While the past is handed out, new events only make it longer: the order holds even if a subscriber causes some.
    let busy = true
    let heard: Entry[] = []
    tellPast()
    busy = false
    const listener: Listener = {
      catchUp() {
        if (busy) return
        busy = true
        tellPast()
        while (heard.length > 0) {
          const now = heard
          heard = []
          for (const entry of now) tell(next - 1, entry)
          tellPast()
        }
        busy = false
      },
      hear(entry) {
        heard.push(entry)
        listener.catchUp()
      },
    }
    listener.catchUp()
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  })

  /** Whether anybody listens now. */
  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  append(at: number, event: Announcement | Milestone): void {
    this.#past.push({ at, event })
    for (const listener of this.#listeners) listener.catchUp()
  }

  /** Tells an event to those who listen, and forgets it. */
  tell(at: number, event: Announcement): void {
    for (const listener of this.#listeners) listener.hear({ at, event })
  }

  close(): void {
    this.#complete = true
    for (const listener of this.#listeners) listener.catchUp()
    this.#listeners.clear()
  }
}
