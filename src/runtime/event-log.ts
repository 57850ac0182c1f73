// The same class as that of "rxjs", without the two hundred files of operators beside it: they were almost half of what it took to import a runner.
import { Observable } from "rxjs/internal/Observable"
import type { Subscriber } from "rxjs/internal/Subscriber"
import type { Announcement, Milestone, RunEvent } from "../machines/run-event.js"

interface Entry {
  readonly at: number
  readonly event: Announcement | Milestone
}

const nobody: readonly Listener[] = []

/** The events of one run in their order. A late subscriber gets the past first; the stream completes with the run. */
export class EventLog {
  readonly #runId: string
  #past: Entry[] = []
  /** Tells the past again, where it was put aside. */
  #bringBack: (() => void) | null = null
  #listeners: readonly Listener[] = nobody
  #isComplete = false
  #events: Observable<RunEvent> | null = null

  constructor(runId: string) {
    this.#runId = runId
  }

  get events$(): Observable<RunEvent> {
    this.#events ??= new Observable((subscriber) => {
      this.#bringBack?.()
      const listener = new Listener(subscriber, this.#runId, this)
      listener.catchUp()
      this.#listeners = [...this.#listeners, listener]
      return () => {
        this.#listeners = this.#listeners.filter((one) => one !== listener)
      }
    })
    return this.#events
  }

  /** Whether anybody listens now. */
  get isHeard(): boolean {
    return this.#listeners.length > 0
  }

  /** Whether a listener is being told something. */
  get isBusy(): boolean {
    return this.#listeners.some(({ isBusy }) => isBusy)
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  entry(seq: number): Entry | undefined {
    return this.#past[seq]
  }

  append(at: number, event: Announcement | Milestone): void {
    this.#past.push({ at, event })
    for (const listener of this.#listeners) listener.catchUp()
  }

  /** Tells an event to those who listen, and forgets it. */
  tell(at: number, event: Announcement): void {
    for (const listener of this.#listeners) listener.hear({ at, event })
  }

  /** Forgets the past, which is appended again before anything else is: who listens has heard it, who comes later asks for it by `bringBack`. */
  putAside(bringBack: () => void): void {
    this.#past = []
    this.#bringBack = bringBack
  }

  /** Called before the past is appended again. */
  isBack(): void {
    this.#bringBack = null
  }

  close(): void {
    this.#isComplete = true
    for (const listener of this.#listeners) listener.catchUp()
    this.#listeners = nobody
  }
}

/** One subscriber, and how far it is. */
class Listener {
  readonly #subscriber: Subscriber<RunEvent>
  readonly #runId: string
  readonly #log: EventLog
  #next = 0
  #heard: Entry[] | null = null
  isBusy = false

  constructor(subscriber: Subscriber<RunEvent>, runId: string, log: EventLog) {
    this.#subscriber = subscriber
    this.#runId = runId
    this.#log = log
  }

  /** There is more of the past. While it is handed out, new events only make it longer: the order holds even if a subscriber causes some. */
  catchUp(): void {
    if (this.isBusy) return
    this.isBusy = true
    this.#tellPast()
    while (this.#heard !== null) {
      const now = this.#heard
      this.#heard = null
      for (const entry of now) this.#tell(this.#next - 1, entry)
      this.#tellPast()
    }
    this.isBusy = false
  }

  /** What is told now and not kept. */
  hear(entry: Entry): void {
    if (this.#heard === null) this.#heard = [entry]
    else this.#heard.push(entry)
    this.catchUp()
  }

  #tell(seq: number, { at, event }: Entry): void {
    this.#subscriber.next({ seq, at, runId: this.#runId, ...event })
  }

  #tellPast(): void {
    for (let entry = this.#log.entry(this.#next); entry !== undefined && !this.#subscriber.closed; entry = this.#log.entry(this.#next)) this.#tell(this.#next++, entry)
    if (this.#log.isComplete) this.#subscriber.complete()
  }
}
