import type { DriverCalls } from "../driver/driver-observer.js"
import type { Driver } from "../driver/driver.js"
import type { Host, LeafCall, DeltaSink } from "../driver/host.js"
import { type JournalHeader, type JournalRecord, recordOf } from "../journal/journal.js"
import { underOwnKey, withKeptKey } from "../driver/kept-keys.js"

interface CallsOwner {
  readonly header: Pick<JournalHeader, "keptKeys" | "runId">
  /** Appends the result of a call to the journal of the run. */
  append(record: JournalRecord): unknown
}

interface CallsWatch {
  /**
   * Called with every call that a state machine requests, even during a replay of stored records.
   */
  called(call: LeafCall): void
}

/**
 * Starts and stops the external calls of one run, such as model calls. During a replay of stored
 * records, no calls are started.
 */
export class RunCalls implements DriverCalls {
  readonly #host: Host
  readonly #owner: CallsOwner
  readonly #live: DeltaSink
  readonly #watch: CallsWatch | null
  #isReplaying = true
  #isClosed = false

  constructor(host: Host, owner: CallsOwner, live: DeltaSink, watch: CallsWatch | null) {
    this.#host = host
    this.#live = live
    this.#owner = owner
    this.#watch = watch
  }

  /** True while stored records are replayed. */
  get isReplaying(): boolean {
    return this.#isReplaying
  }

  start(call: LeafCall): (() => void) | null {
    this.#watch?.called(call)
    return this.#isReplaying ? null : this.#startCall(call)
  }

  /** Ends the replay and starts the calls that have no recorded result. */
  endReplay(driver: Driver): void {
    this.#isReplaying = false
    driver.startHeldCalls((call) => this.#startCall(call), this.#host.now())
  }

  /**
   * Stops all calls and releases the data that the host keeps for the run. No further calls can be
   * started. If the run is suspended, the calls are repeated when it is resumed.
   */
  stop(driver: Driver, isSuspended: boolean): void {
    this.#isClosed = true
    this.#isReplaying = false
    const { runId } = this.#owner.header
    if (isSuspended) this.#host.suspend?.(runId)
    driver.abandon()
    this.#host.release?.(runId)
  }

  #startCall(call: LeafCall): () => void {
    if (this.#isClosed) return () => {}
    const keptCall = withKeptKey(call, this.#owner.header.keptKeys)
    return this.#host.start(
      keptCall,
      (result) => void this.#owner.append(recordOf(call.n, result)),
      keptCall === call ? this.#live : underOwnKey(call, this.#live),
    )
  }
}
