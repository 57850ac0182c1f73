import type { StoredDelivery } from "../../runtime/journal/delivery-store.js"
import type { CompleteJournal, RunSummary } from "../../runtime/journal/journal.js"
import { endedStatuses } from "../../runtime/journal/prune-runs.js"
import type { RunHub } from "../../serving/run-hub.js"
import { isUnfinished } from "./deliverer.js"
import type { DeliveryTarget } from "./delivery-target.js"

/** Deliveries that a server must continue or remove, as the result of a search. */
interface FoundDeliveries {
  /** Deliveries that no server is processing, but that may have events to send. */
  readonly idle: readonly StoredDelivery[]
  /** Deliveries of runs that do not exist. */
  readonly orphaned: readonly StoredDelivery[]
}

/**
 * Age in milliseconds at which a delivery without a run is removed. Younger deliveries are kept,
 * because a server stores the deliveries of a run shortly before the run.
 */
const orphanAgeMs = 300_000

/** Maximum difference between the clocks of servers, in milliseconds. */
const clockDifferenceMs = 60_000

/**
 * Searches for events that no server is going to deliver, because a server was killed after the
 * event or because a command has continued the run. Skips runs that another server executes,
 * because that server delivers their events.
 */
export class IdleSearch {
  readonly #runs: Pick<RunHub, "findLive">
  readonly #journal: Pick<CompleteJournal, "list">
  readonly #targetOf: (delivery: StoredDelivery) => DeliveryTarget | null
  /**
   * State of each run at the last search. The events of a run are read again only if it has
   * changed.
   */
  #checked = new Map<string, string>()

  constructor(
    runs: Pick<RunHub, "findLive">,
    journal: Pick<CompleteJournal, "list">,
    targetOf: (delivery: StoredDelivery) => DeliveryTarget | null,
  ) {
    this.#runs = runs
    this.#journal = journal
    this.#targetOf = targetOf
  }

  /**
   * Returns the deliveries whose events must be sent and the deliveries that must be removed. `all`
   * contains all stored deliveries.
   */
  async find(all: readonly StoredDelivery[], now: number): Promise<FoundDeliveries> {
    const idle: StoredDelivery[] = []
    const orphaned: StoredDelivery[] = []
    const elsewhere: StoredDelivery[] = []
    for (const delivery of all) {
      if (delivery.progress.dueAt !== null) continue
      const live = this.#runs.findLive(delivery.runId)
      if (live === null) elsewhere.push(delivery)
      else {
        const target = this.#targetOf(delivery)
        if (target !== null && isUnfinished(delivery, live, target)) idle.push(delivery)
      }
    }
    if (elsewhere.length === 0) return { idle, orphaned }
    const runs = new Map((await this.#journal.list()).map((run) => [run.runId, run]))
    const checked = new Map<string, string>()
    for (const delivery of elsewhere) {
      const { runId, receiver, progress } = delivery
      const run = runs.get(runId)
      if (run === undefined) {
        if (progress.updatedAt < now - orphanAgeMs) orphaned.push(delivery)
        continue
      }
      if (progress.hasFailed || !mayHaveNewEvents(run, progress.updatedAt)) continue
      const key = JSON.stringify([runId, receiver])
      const state = `${run.status} ${run.settledAt}`
      checked.set(key, state)
      if (this.#checked.get(key) !== state) idle.push(delivery)
    }
    this.#checked = checked
    return { idle, orphaned }
  }
}

/**
 * Returns whether a run may have events that are later than `since`, although no process executes
 * the run.
 */
function mayHaveNewEvents({ owner, status, settledAt }: RunSummary, since: number): boolean {
  if (owner !== null) return false
  const hasEnded = endedStatuses.some((ended) => ended === status)
  return hasEnded || settledAt === undefined || settledAt >= since - clockDifferenceMs
}
