import type { DriverCalls } from "../driver/driver-observer.js"
import type { Driver } from "../driver/driver.js"
import type { Host, LeafCall, DeltaSink } from "../driver/host.js"
import { type JournalHeader, type JournalRecord, recordOf } from "../journal/journal.js"
import { underOwnKey, withKeptKey } from "../driver/kept-keys.js"

interface CallsOwner {
  readonly header: Pick<JournalHeader, "keptKeys">
  /** A call has its result. */
  arrives(record: JournalRecord): unknown
}

interface CallsWatch {
  /** Is told of every call, also while the past is fed. */
  called(call: LeafCall): void
}

/** The calls of one run: held back while its past is fed, then carried out, and stopped for good when this process lets go of it. */
export class RunCalls implements DriverCalls {
  readonly #host: Host
  readonly #owner: CallsOwner
  readonly #live: DeltaSink
  readonly #watch: CallsWatch | null
  #isReplaying = true
  #isOver = false

  constructor(host: Host, owner: CallsOwner, live: DeltaSink, watch: CallsWatch | null) {
    this.#host = host
    this.#live = live
    this.#owner = owner
    this.#watch = watch
  }

  /** Whether the past is still being fed. */
  get isReplaying(): boolean {
    return this.#isReplaying
  }

  start(call: LeafCall): (() => void) | null {
    this.#watch?.called(call)
    return this.#isReplaying ? null : this.#startHeldCalls(call)
  }

  /** Carries out what the past has left without a result. */
  release(driver: Driver): void {
    this.#isReplaying = false
    driver.startHeldCalls((call) => this.#startHeldCalls(call), this.#host.now())
  }

  /** Nothing is carried out any more. */
  stop(driver: Driver): void {
    this.#isOver = true
    this.#isReplaying = false
    driver.abandon()
  }

  #startHeldCalls(call: LeafCall): () => void {
    if (this.#isOver) return () => {}
    const asBegun = withKeptKey(call, this.#owner.header.keptKeys)
    return this.#host.start(
      asBegun,
      (result) => void this.#owner.arrives(recordOf(call.n, result)),
      asBegun === call ? this.#live : underOwnKey(call, this.#live),
    )
  }
}
