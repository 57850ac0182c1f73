import type { EmittedEvent, RunBoundaryEvent, RunEvent } from "../../machines/contract/run-event.js"
import { Observable, type Subscriber } from "./observable.js"

/**
 * The events of one run. A new subscriber first receives all past events. The event stream
 * completes when the run ends.
 */
export class EventLog {
  readonly #runId: string
  #pastEvents: (EmittedEvent | RunBoundaryEvent)[] = []
  /** Times of the past events in milliseconds since the epoch, in the order of `#pastEvents`. */
  #times: number[] = []
  /**
   * Function that loads the past events into memory again. null while the past events are in
   * memory.
   */
  #reload: (() => void) | null = null
  readonly subscribers: Subscribers
  #isComplete = false
  #events: Observable<RunEvent> | null = null

  constructor(runId: string, subscribers = new Subscribers()) {
    this.#runId = runId
    this.subscribers = subscribers
  }

  get events$(): Observable<RunEvent> {
    const { subscribers } = this
    this.#events ??= new Observable((subscriber) => {
      this.#reload?.()
      const subscription = new Subscription(subscriber, this.#runId)
      subscription.catchUp(this)
      subscribers.add(subscription)
      return unsubscribe(subscribers, subscription)
    })
    return this.#events
  }

  get hasSubscribers(): boolean {
    return this.subscribers.all.length > 0
  }

  /** True while a subscriber handles an event. */
  get isEmitting(): boolean {
    return this.subscribers.all.some(({ isEmitting }) => isEmitting)
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  event(seq: number): EmittedEvent | RunBoundaryEvent | undefined {
    return this.#pastEvents[seq]
  }

  time(seq: number): number {
    return this.#times[seq] ?? 0
  }

  /**
   * Adds an event to the log and emits it to the subscribers. `time` is in milliseconds since the
   * epoch.
   */
  append(time: number, event: EmittedEvent | RunBoundaryEvent): void {
    this.#pastEvents.push(event)
    this.#times.push(time)
    for (const subscription of this.subscribers.all) subscription.catchUp(this)
  }

  /**
   * Emits an event to the current subscribers without adding it to the log. `time` is in
   * milliseconds since the epoch.
   */
  emit(time: number, event: EmittedEvent): void {
    for (const subscription of this.subscribers.all) subscription.emitUnlogged(time, event, this)
  }

  /**
   * Removes the past events from memory. When a new subscriber needs them, the log calls `reload`,
   * which must append all past events again.
   */
  unload(reload: () => void): void {
    this.#pastEvents = []
    this.#times = []
    this.#reload = reload
  }

  /**
   * Prepares the log for appending all past events again. The caller must then call `append` for
   * each of them.
   */
  startReload(): void {
    this.#reload = null
  }

  close(): void {
    this.#isComplete = true
    for (const subscription of this.subscribers.all) subscription.catchUp(this)
    this.subscribers.clear()
  }
}

/**
 * Returns a function that ends a subscription. The function is created outside the class
 * `EventLog`, so that it does not keep the log in memory.
 */
const unsubscribe = (subscribers: Subscribers, subscription: Subscription) => (): void =>
  subscribers.delete(subscription)

const none: readonly Subscription[] = []

/**
 * The subscribers to the events of one run. This class has no reference to the run, so subscribers
 * do not keep the run in memory.
 */
export class Subscribers {
  #all = none
  #registry: Set<Subscribers> | null = null

  get all(): readonly Subscription[] {
    return this.#all
  }

  add(subscription: Subscription): void {
    this.#all = this.#all.concat(subscription)
    this.#registry?.add(this)
  }

  delete(subscription: Subscription): void {
    this.#all = this.#all.filter((other) => other !== subscription)
    if (this.#all.length === 0) this.#registry?.delete(this)
  }

  /**
   * Moves this object to another set. The owner of the set uses it to find all `Subscribers`
   * objects that have at least one subscriber. If `registry` is null, only removes this object from
   * its current set.
   */
  trackIn(registry: Set<Subscribers> | null): void {
    this.#registry?.delete(this)
    this.#registry = registry
    if (this.#all.length > 0) registry?.add(this)
  }

  /** Completes the event streams of all subscribers, and removes the subscribers. */
  complete(): void {
    for (const subscription of this.#all) subscription.complete()
    this.clear()
  }

  clear(): void {
    this.#all = none
    this.trackIn(null)
  }
}

/** One subscriber and its read position in the event log. */
class Subscription {
  readonly #subscriber: Subscriber<RunEvent>
  readonly #runId: string
  #next = 0
  #unlogged: { readonly time: number; readonly event: EmittedEvent }[] | null = null
  isEmitting = false

  constructor(subscriber: Subscriber<RunEvent>, runId: string) {
    this.#subscriber = subscriber
    this.#runId = runId
  }

  /**
   * Emits all events that the subscriber has not received yet, in order. This includes events that
   * occur because the subscriber handles an event.
   */
  catchUp(log: EventLog): void {
    if (this.isEmitting) return
    this.isEmitting = true
    this.#emitPast(log)
    while (this.#unlogged !== null) {
      const events = this.#unlogged
      this.#unlogged = null
      for (const { time, event } of events) this.#emit(this.#next - 1, time, event)
      this.#emitPast(log)
    }
    this.isEmitting = false
  }

  /**
   * Emits an event to this subscriber without adding it to the log, so later subscribers do not
   * receive it.
   */
  emitUnlogged(time: number, event: EmittedEvent, log: EventLog): void {
    this.#unlogged ??= []
    this.#unlogged.push({ time, event })
    this.catchUp(log)
  }

  complete(): void {
    this.#subscriber.complete()
  }

  #emit(seq: number, time: number, event: EmittedEvent | RunBoundaryEvent): void {
    this.#subscriber.next({ seq, at: time, runId: this.#runId, ...event })
  }

  #emitPast(log: EventLog): void {
    for (
      let event = log.event(this.#next);
      event !== undefined && !this.#subscriber.closed;
      event = log.event(this.#next)
    ) {
      const seq = this.#next++
      this.#emit(seq, log.time(seq), event)
    }
    if (log.isComplete) this.#subscriber.complete()
  }
}
