import type { HttpClient } from "../../adapters/http/client/http-client.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type {
  StoredDelivery,
  DeliveryKey,
  DeliveryProgress,
  DeliveryStore,
} from "../../runtime/journal/delivery-store.js"
import type { Clock } from "../../runtime/driver/host.js"
import { errorCodeOf, isReportedError } from "../../serving/http-error.js"
import type { EventFeed } from "../../serving/live-run.js"
import type { DeliveryFailure } from "./delivery-attempt.js"
import { afterFailure, attemptDelivery } from "./delivery-attempt.js"
import type { DeliveryTarget } from "./delivery-target.js"
import { Gate } from "./gate.js"

export interface DelivererOptions {
  readonly store: DeliveryStore
  readonly client: HttpClient
  readonly clock: Clock
  /** Returns a random number from 0 to 1. It is used to vary the delays between attempts. */
  readonly random: () => number
  /** Returns all events of a run, including events that the run emits later. */
  readonly eventsOf: (runId: string) => Promise<EventFeed>
  /** Returns the receiver of a delivery. Returns null if the webhook file no longer contains it. */
  readonly targetOf: (delivery: StoredDelivery) => DeliveryTarget | null
  /** Called if the store or the journal fails. The server tries again later. */
  readonly onFailed: (error: unknown) => void
}

/**
 * Returns for how long a server claims a delivery, in milliseconds. A claim is longer than an
 * attempt, so that two servers do not deliver the same event at the same time.
 */
const claimMsOf = ({ timeoutMs }: DeliveryTarget): number => 2 * timeoutMs

/** Maximum number of concurrent delivery requests to one host. */
const maxRequests = 16

/** Failure fields of a delivery that has had no failed attempt. */
const noFailure = { attempts: 0, failingSince: null, error: null, hasFailed: false } as const

/** Returns the progress of a new delivery. `position` is the index of its first event. */
export const newProgress = (position: number, now: number): DeliveryProgress => ({
  position,
  dueAt: null,
  ...noFailure,
  updatedAt: now,
})

/**
 * Sends the events of runs to their receivers, such as webhooks. Each receiver gets the events of a
 * run one after the other. Before a server sends events, it claims the delivery in the store, so
 * that no other server sends them.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #closing = new AbortController()
  readonly #gates = new Map<string, Gate>()
  /**
   * Deliveries in progress, by key. `again` means that the delivery must be checked again
   * afterwards.
   */
  readonly #active = new Map<string, { again: boolean; readonly done: Promise<void> }>()

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  /**
   * Sends the events of a run that the receiver has not received yet, if the delivery is due. If
   * events are already being sent, checks for further events afterwards.
   */
  deliver(key: DeliveryKey): void {
    if (this.#closing.signal.aborted) return
    const id = JSON.stringify([key.runId, key.receiver])
    const active = this.#active.get(id)
    if (active !== undefined) {
      active.again = true
      return
    }
    const state = { again: false, done: Promise.resolve() }
    this.#active.set(id, state)
    state.done = this.#repeat(key, state).finally(() => this.#active.delete(id))
  }

  /**
   * Aborts the requests in flight. The events in these requests are not lost, because any server
   * can send them again later.
   */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#active.values()].map(({ done }) => done))
  }

  async #repeat(key: DeliveryKey, state: { again: boolean }): Promise<void> {
    const { signal } = this.#closing
    try {
      do {
        state.again = false
        await this.#deliverDue(key)
      } while (state.again && !signal.aborted)
    } catch (error) {
      if (!signal.aborted) this.#options.onFailed(error)
    }
  }

  async #deliverDue(key: DeliveryKey): Promise<void> {
    const { store, clock, targetOf } = this.#options
    const delivery = await store.load(key)
    if (delivery === null || !isDue(delivery, clock.now())) return
    // A delivery without a run stores the id of a received webhook message. It is deleted when it
    // is due.
    if (delivery.runId === "") return void (await store.remove(delivery))
    const target = targetOf(delivery)
    const feed = target === null ? null : await this.#feedOf(delivery)
    if (target === null) {
      // The deliveries continue when the webhook file contains the receiver again.
      if (delivery.progress.dueAt !== null) await this.#rest(delivery, delivery.progress.position)
    } else if (feed === null) await store.remove(delivery)
    else if (delivery.progress.dueAt !== null || isUnfinished(delivery, feed, target))
      await this.#gateOf(target).run(() => this.#deliverAll(delivery, feed, target))
  }

  /** Claims a delivery in the store and sends its events until none is left or an attempt fails. */
  async #deliverAll(
    delivery: StoredDelivery,
    feed: EventFeed,
    target: DeliveryTarget,
  ): Promise<void> {
    const { store, clock, random } = this.#options
    const claim = (
      from: StoredDelivery,
      position: number,
      reset: object,
    ): Promise<StoredDelivery | null> =>
      store.replace(from, {
        ...from.progress,
        ...reset,
        position,
        dueAt: clock.now() + claimMsOf(target),
        updatedAt: clock.now(),
      })
    let claimed = await claim(delivery, delivery.progress.position, {})
    while (claimed !== null) {
      const { position } = claimed.progress
      const event = nextEvent(feed, position, target)
      if (event === undefined) return this.#finish(claimed, feed)
      const failure = await this.#attempt(claimed, target, event)
      if (failure !== null) {
        const now = clock.now()
        await store.replace(
          claimed,
          afterFailure(claimed.progress, failure, target.retry, now, random),
        )
        return
      }
      // The next claim also stores that this event was delivered.
      if (nextEvent(feed, event.seq + 1, target) === undefined) return this.#finish(claimed, feed)
      claimed = await claim(claimed, event.seq + 1, noFailure)
    }
  }

  async #attempt(
    claimed: StoredDelivery,
    target: DeliveryTarget,
    event: RunEvent,
  ): Promise<DeliveryFailure | null> {
    const { store, client, clock } = this.#options
    try {
      return await attemptDelivery(client, target, event, clock.now(), this.#closing.signal)
    } catch (error) {
      // Another server, or this one after its restart, can deliver the event at once.
      await store.replace(claimed, { ...claimed.progress, dueAt: clock.now() })
      throw error
    }
  }

  /**
   * Stores that all events so far were delivered. If the run has ended, no further events follow,
   * so the delivery is removed from the store instead.
   */
  async #finish(delivery: StoredDelivery, feed: EventFeed): Promise<void> {
    if (feed.events.at(-1)?.type === "run.finished") await this.#options.store.remove(delivery)
    else await this.#rest(delivery, feed.events.length)
  }

  async #rest(delivery: StoredDelivery, position: number): Promise<void> {
    const { store, clock } = this.#options
    await store.replace(delivery, {
      ...delivery.progress,
      ...noFailure,
      position,
      dueAt: null,
      updatedAt: clock.now(),
    })
  }

  /** Returns the events of the run of a delivery. Returns null if the run does not exist. */
  async #feedOf({ runId }: DeliveryKey): Promise<EventFeed | null> {
    try {
      return await this.#options.eventsOf(runId)
    } catch (error) {
      if (isReportedError(error) && errorCodeOf(error) === "run_unknown") return null
      throw error
    }
  }

  #gateOf({ url }: DeliveryTarget): Gate {
    const gate = this.#gates.get(url.host) ?? new Gate(maxRequests)
    this.#gates.set(url.host, gate)
    return gate
  }
}

/**
 * Returns whether a server may send the events of a delivery now. The delivery must not have
 * failed, must not be claimed by another server, and must not wait for a later attempt.
 */
const isDue = ({ progress: { dueAt, hasFailed } }: StoredDelivery, now: number): boolean =>
  !hasFailed && (dueAt === null || dueAt <= now)

/**
 * Returns whether a server must still process the delivery. Either there is an event to send, or
 * the run has ended and the delivery must be removed.
 */
export const isUnfinished = (
  { progress: { position } }: StoredDelivery,
  feed: Pick<EventFeed, "events">,
  target: Pick<DeliveryTarget, "selects">,
): boolean =>
  feed.events.at(-1)?.type === "run.finished" || nextEvent(feed, position, target) !== undefined

/**
 * Returns the first event at index `position` or later that matches the event filter of the
 * receiver.
 */
function nextEvent(
  { events }: Pick<EventFeed, "events">,
  position: number,
  target: Pick<DeliveryTarget, "selects">,
): RunEvent | undefined {
  for (let index = position; index < events.length; index++) {
    const event = events[index]
    if (event !== undefined && target.selects(event)) return event
  }
  return undefined
}
