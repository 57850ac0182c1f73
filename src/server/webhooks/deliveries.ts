import type { HttpClient } from "../../adapters/http/client/http-client.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { Clock } from "../../runtime/driver/host.js"
import type {
  StoredDelivery,
  DeliveryKey,
  DeliveryStore,
} from "../../runtime/journal/delivery-store.js"
import type { CompleteJournal, JournalHeader, RunSummary } from "../../runtime/journal/journal.js"
import type { EventFeed, LiveRun } from "../../serving/live-run.js"
import type { RunHub } from "../../serving/run-hub.js"
import { originOf } from "../../serving/run-origin.js"
import type { ServedWorkflows } from "../workflows/served-workflows.js"
import { Deliverer, newProgress } from "./deliverer.js"
import { retryDeliveries } from "./delivery-status.js"
import type { DeliveryTarget } from "./delivery-target.js"
import { IdleSearch } from "./idle-search.js"
import { outgoingTarget } from "./outgoing-target.js"
import type { OutgoingWebhook } from "./webhook.js"

export interface DeliveriesOptions {
  readonly webhooks: readonly OutgoingWebhook[]
  readonly store: DeliveryStore
  readonly client: HttpClient
  readonly clock: Clock
  /** Returns a random number from 0 to 1. It is used to vary the delays between attempts. */
  readonly random: () => number
  /** Called if the store or the journal fails. The server tries again later. */
  readonly onFailed: (error: unknown) => void
}

/** Creates a receiver of run events from the settings that a client has sent in a request. */
export type OpenTarget = (target: JsonObject, runId: string) => DeliveryTarget

/** The fields of a run that decide which webhooks report its events. */
export interface ReportedRun extends Pick<RunSummary, "calledBy"> {
  readonly about?: JournalHeader["about"]
}

/** Interval between two searches for deliveries that are due, in milliseconds. */
const searchMs = 1_000

/** Interval between two searches for events that no server is delivering, in milliseconds. */
const idleSearchMs = 60_000

/** Maximum number of due deliveries that one search returns. */
const maxDue = 100

/** A webhook that the webhook file defines. */
interface FileWebhook {
  readonly webhook: OutgoingWebhook
  readonly target: DeliveryTarget
  /** Paths of the workflow files whose runs are reported. Null reports all workflows. */
  readonly files: ReadonlySet<string> | null
}

/**
 * The deliveries of run events to webhooks and other receivers. For each run and receiver, the
 * progress is stored before the run is stored, and removed after the last event was delivered.
 * Therefore, all servers that share a journal can find undelivered events.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #webhooks: ReadonlyMap<string, FileWebhook>
  /** Receivers of the runs that this server executes, by run id and receiver name. */
  readonly #live = new Map<string, Map<string, DeliveryTarget>>()
  readonly #closing = new AbortController()
  #deliverer: Deliverer | null = null
  #runs: RunHub | null = null
  #openTarget: OpenTarget | null = null
  #search: Promise<void> = Promise.resolve()
  #cancelTimer = (): void => {}
  #reportedAt = -Infinity

  /** @throws HttpError `workflow_unknown` if a webhook names a workflow that does not exist */
  constructor(options: DeliveriesOptions, workflows: ServedWorkflows) {
    this.#options = options
    this.#webhooks = new Map(
      options.webhooks.map((webhook) => {
        const files = webhook.workflows?.map((id) => workflows.get(id).file)
        const target = outgoingTarget(webhook)
        return [webhook.name, { webhook, target, files: files ? new Set(files) : null }]
      }),
    )
  }

  /** Returns a journal that stores the deliveries of each new run before it stores the run. */
  watched(journal: CompleteJournal): CompleteJournal {
    if (this.#webhooks.size === 0) return journal
    const { store } = this.#options
    return {
      ...journal,
      create: async (header) => {
        const added: StoredDelivery[] = []
        for (const receiver of this.#receiversOf(header)) {
          const created = await this.#keep({ runId: header.runId, receiver })
          if (created !== null) added.push(created)
        }
        try {
          await journal.create(header)
        } catch (error) {
          // Another server that creates the same run has changed the version of its deliveries.
          await Promise.allSettled(added.map((delivery) => store.remove(delivery)))
          throw error
        }
      },
    }
  }

  /** Starts to search for undelivered events at regular intervals, and to deliver them. */
  start(runs: RunHub, journal: CompleteJournal, openTarget: OpenTarget): void {
    const { store, client, clock, random } = this.#options
    const onFailed = (error: unknown): void => this.#report(error)
    this.#runs = runs
    this.#openTarget = openTarget
    const eventsOf = (runId: string): Promise<EventFeed> => runs.events(runId)
    const targetOf = (delivery: StoredDelivery): DeliveryTarget | null => this.#targetOf(delivery)
    this.#deliverer = new Deliverer({
      store,
      client,
      clock,
      random,
      eventsOf,
      targetOf,
      onFailed,
    })
    const idleSearch = new IdleSearch(runs, journal, targetOf)
    let idleSearchAt = clock.now()
    const search = async (): Promise<void> => {
      try {
        if (clock.now() >= idleSearchAt) {
          const found = await idleSearch.find(await store.list(), clock.now())
          for (const key of found.idle) this.#deliver(key)
          for (const key of found.orphaned) await store.remove(key)
          idleSearchAt = clock.now() + idleSearchMs
        }
        for (const key of await store.due(clock.now(), maxDue)) this.#deliver(key)
      } catch (error) {
        onFailed(error)
      }
      if (!this.#closing.signal.aborted)
        this.#cancelTimer = clock.wakeAt(clock.now() + searchMs, () => (this.#search = search()))
    }
    this.#search = search()
  }

  /** Delivers the events of a run to its receivers. This server has started or resumed the run. */
  follow(live: LiveRun, run: ReportedRun): void {
    // New receivers do not get the events from before the run was resumed.
    const position = live.events.length
    this.#openDeliveries(live.run.runId, run, position)
      .then(() => this.#watch(live))
      .catch((error: unknown) => this.#report(error))
  }

  /** Adds a receiver of events to a run, or replaces the receiver with this name. */
  async add({ runId, receiver }: DeliveryKey, target: JsonObject, position: number): Promise<void> {
    const { store, clock } = this.#options
    const key = { runId, receiver }
    const now = clock.now()
    // The delivery is due at once, so that any server can send the first events.
    const progress = { ...newProgress(position, now), dueAt: now, target }
    const existing = await store.load(key)
    if (existing === null) await store.create(key, progress)
    else await store.replace(existing, progress)
    const live = this.#runs?.findLive(runId) ?? null
    const receivers = this.#live.get(runId)
    if (receivers === undefined && live !== null)
      this.#watch(live).catch((error: unknown) => this.#report(error))
    const opened = this.#openTarget?.(target, runId)
    if (opened !== undefined) receivers?.set(receiver, opened)
    this.#deliver(key)
  }

  /** Removes a receiver of events from a run. Returns false if the run has no such receiver. */
  async remove(key: DeliveryKey): Promise<boolean> {
    const { store } = this.#options
    this.#live.get(key.runId)?.delete(key.receiver)
    for (;;) {
      const delivery = await store.load(key)
      if (delivery === null) return false
      if (await store.remove(delivery)) return true
    }
  }

  ofRun(runId: string): Promise<readonly StoredDelivery[]> {
    return this.#options.store.ofRun(runId)
  }

  get store(): DeliveryStore {
    return this.#options.store
  }

  get webhooks(): readonly OutgoingWebhook[] {
    return this.#options.webhooks
  }

  list(): Promise<readonly StoredDelivery[]> {
    return this.#options.store.list()
  }

  /** Retries the failed deliveries to a receiver. Returns the number of these deliveries. */
  async retry(receiver: string): Promise<number> {
    const { store, clock } = this.#options
    const retried = await retryDeliveries(store, receiver, clock.now())
    for (const delivery of retried) this.#deliver(delivery)
    return retried.length
  }

  /** Stops delivering. Another server, or this server after a restart, continues later. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelTimer()
    await this.#search
    await this.#deliverer?.close()
  }

  /**
   * Delivers the events of a run as they occur, until the run ends. Does nothing if the run has no
   * receivers.
   */
  async #watch(live: LiveRun): Promise<void> {
    const { runId } = live.run
    const { signal } = this.#closing
    const deliveries = await this.ofRun(runId)
    const known = this.#live.get(runId)
    const receivers = known ?? new Map<string, DeliveryTarget>()
    for (const delivery of deliveries) {
      const target = this.#targetOf(delivery)
      if (target !== null) receivers.set(delivery.receiver, target)
      this.#deliver(delivery)
    }
    // Another call of this method already watches the run.
    if (known !== undefined || receivers.size === 0) return
    this.#live.set(runId, receivers)
    for (let checked = 0; !signal.aborted;) {
      const { hasEnded, events } = live
      const added = events.slice(checked)
      checked = events.length
      for (const [receiver, target] of receivers)
        if (hasEnded || added.some((event) => target.selects(event)))
          this.#deliver({ runId, receiver })
      if (hasEnded) break
      await live.nextChange(signal)
    }
    this.#live.delete(runId)
  }

  /** Reports a failure of the store or the journal, at most once a minute. */
  #report(error: unknown): void {
    const { clock, onFailed } = this.#options
    if (clock.now() < this.#reportedAt + 60_000) return
    this.#reportedAt = clock.now()
    onFailed(error)
  }

  /**
   * Stores the delivery of a new run and returns it. If another server has already stored it,
   * returns null. Then also changes its version, so that the other server cannot remove it.
   */
  async #keep(key: DeliveryKey): Promise<StoredDelivery | null> {
    const { store, clock } = this.#options
    for (;;) {
      const created = await store.create(key, newProgress(0, clock.now()))
      if (created !== null) return created
      const existing = await store.load(key)
      if (existing !== null && (await store.replace(existing, existing.progress)) !== null)
        return null
    }
  }

  /** Stores deliveries to webhooks that were added to the webhook file after the run started. */
  async #openDeliveries(runId: string, run: ReportedRun, position: number): Promise<void> {
    const { store, clock } = this.#options
    for (const receiver of this.#receiversOf(run))
      await store.create({ runId, receiver }, newProgress(position, clock.now()))
  }

  /**
   * Returns the names of the webhooks that receive the events of a run. For a child run, returns
   * none, because the webhooks receive the events of its caller.
   */
  #receiversOf({ about, calledBy }: ReportedRun): readonly string[] {
    if (calledBy !== undefined) return []
    const { file } = originOf(about)
    return [...this.#webhooks.values()].flatMap(({ webhook, files }) =>
      files === null || (file !== null && files.has(file)) ? [webhook.name] : [],
    )
  }

  #targetOf({ runId, receiver, progress }: StoredDelivery): DeliveryTarget | null {
    return progress.target === undefined
      ? (this.#webhooks.get(receiver)?.target ?? null)
      : (this.#openTarget?.(progress.target, runId) ?? null)
  }

  #deliver(key: DeliveryKey): void {
    this.#deliverer?.deliver(key)
  }
}
