// The same class as that of "rxjs", without the two hundred files of operators beside it: they were almost half of what it took to import a runner.
import { Observable } from "rxjs/internal/Observable"
import type { Subscriber } from "rxjs/internal/Subscriber"
import type { Announcement, Milestone, RunEvent } from "../../machines/contract/run-event.js"

/** The events of one run in their order. A late subscriber gets the past first; the stream completes with the run. */
export class EventLog {
  readonly #runId: string
  /** What was told, and when. */
  #past: (Announcement | Milestone)[] = []
  #times: number[] = []
  /** Tells the past again, where it was put aside. */
  #bringBack: (() => void) | null = null
  readonly audience = new Audience()
  #isComplete = false
  #events: Observable<RunEvent> | null = null

  constructor(runId: string) {
    this.#runId = runId
  }

  get events$(): Observable<RunEvent> {
    const { audience } = this
    this.#events ??= new Observable((subscriber) => {
      this.#bringBack?.()
      const listener = new Listener(subscriber, this.#runId)
      listener.catchUp(this)
      audience.add(listener)
      return leaving(audience, listener)
    })
    return this.#events
  }

  /** Whether anybody listens now. */
  get isHeard(): boolean {
    return this.audience.listeners.length > 0
  }

  /** Whether a listener is being told something. */
  get isBusy(): boolean {
    return this.audience.listeners.some(({ isBusy }) => isBusy)
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  event(seq: number): Announcement | Milestone | undefined {
    return this.#past[seq]
  }

  time(seq: number): number {
    return this.#times[seq] ?? 0
  }

  append(at: number, event: Announcement | Milestone): void {
    this.#past.push(event)
    this.#times.push(at)
    for (const listener of this.audience.listeners) listener.catchUp(this)
  }

  /** Tells an event to those who listen, and forgets it. */
  tell(at: number, event: Announcement): void {
    for (const listener of this.audience.listeners) listener.hear(at, event, this)
  }

  /** Forgets the past, which is appended again before anything else is: who listens has heard it, who comes later asks for it by `bringBack`. */
  putAside(bringBack: () => void): void {
    this.#past = []
    this.#times = []
    this.#bringBack = bringBack
  }

  /** Called before the past is appended again. */
  isBack(): void {
    this.#bringBack = null
  }

  close(): void {
    this.#isComplete = true
    for (const listener of this.audience.listeners) listener.catchUp(this)
    this.audience.leave()
  }
}

/** Made here, where the log is out of reach: whoever listens holds it. */
const leaving = (audience: Audience, listener: Listener) => (): void => audience.remove(listener)

const nobody: readonly Listener[] = []

/** Who listens to a run. It knows nothing of the run itself, so that it keeps none in memory. */
export class Audience {
  #listeners = nobody
  #seats: Set<Audience> | null = null

  get listeners(): readonly Listener[] {
    return this.#listeners
  }

  add(listener: Listener): void {
    this.#listeners = [...this.#listeners, listener]
    this.#seats?.add(this)
  }

  remove(listener: Listener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener)
    if (this.#listeners.length === 0) this.#seats?.delete(this)
  }

  /** Is among `seats` from now on while anybody listens; null: no more. */
  trackIn(seats: Set<Audience> | null): void {
    this.#seats?.delete(this)
    this.#seats = seats
    if (this.#listeners.length > 0) seats?.add(this)
  }

  /** There will be no more for those who have heard everything. */
  complete(): void {
    for (const listener of this.#listeners) listener.complete()
    this.leave()
  }

  leave(): void {
    this.#listeners = nobody
    this.trackIn(null)
  }
}

/** One subscriber, and how far it is. */
class Listener {
  readonly #subscriber: Subscriber<RunEvent>
  readonly #runId: string
  #next = 0
  #heard: { readonly at: number; readonly event: Announcement }[] | null = null
  isBusy = false

  constructor(subscriber: Subscriber<RunEvent>, runId: string) {
    this.#subscriber = subscriber
    this.#runId = runId
  }

  /** There is more of the past. While it is handed out, new events only make it longer: the order holds even if a subscriber causes some. */
  catchUp(log: EventLog): void {
    if (this.isBusy) return
    this.isBusy = true
    this.#tellPast(log)
    while (this.#heard !== null) {
      const now = this.#heard
      this.#heard = null
      for (const { at, event } of now) this.#tell(this.#next - 1, at, event)
      this.#tellPast(log)
    }
    this.isBusy = false
  }

  /** What is told now and not kept. */
  hear(at: number, event: Announcement, log: EventLog): void {
    this.#heard ??= []
    this.#heard.push({ at, event })
    this.catchUp(log)
  }

  complete(): void {
    this.#subscriber.complete()
  }

  #tell(seq: number, at: number, event: Announcement | Milestone): void {
    this.#subscriber.next({ seq, at, runId: this.#runId, ...event })
  }

  #tellPast(log: EventLog): void {
    for (
      let event = log.event(this.#next);
      event !== undefined && !this.#subscriber.closed;
      event = log.event(this.#next)
    ) {
      const seq = this.#next++
      this.#tell(seq, log.time(seq), event)
    }
    if (log.isComplete) this.#subscriber.complete()
  }
}
