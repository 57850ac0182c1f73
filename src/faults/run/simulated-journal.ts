import { isOutside, type Journal, type JournalRecord } from "../../runtime/journal/journal.js"
import type { CallLog } from "../environment/call-log.js"
import type { PlacedFault, RunLogEvent, StoredProcess } from "./observed-run.js"
import type { SimulatedProcess } from "./simulated-process.js"

const never = (): Promise<never> => new Promise(() => {})

/** The callbacks through which a simulated journal notifies its run. */
export interface JournalWatch {
  /** Called before a journal record is stored. */
  onStoring(process: SimulatedProcess): void
  /** Called if the process is killed before the answer of a person is stored. */
  onAnswerLost(): void
  /** Returns the events that the run has emitted. */
  events(): readonly RunLogEvent[]
}

/**
 * The journal of one simulated run, in memory or on disk. It kills the process immediately before
 * or after it stores the journal record of the fault.
 */
export class SimulatedJournal {
  readonly records: JournalRecord[]
  readonly #fault: PlacedFault | null
  readonly #log: CallLog
  readonly #disk: StoredProcess | null
  readonly #watch: JournalWatch
  #isKilled: boolean
  /**
   * Whether the process is about to be killed with SIGKILL. If true, no more records are stored.
   */
  #isDying = false

  /**
   * Creates the journal of a run. `past` contains the records that a killed process of the run has
   * stored. It is null for a new run.
   */
  constructor(
    fault: PlacedFault | null,
    log: CallLog,
    disk: StoredProcess | null,
    past: readonly JournalRecord[] | null,
    watch: JournalWatch,
  ) {
    this.records = past === null ? [] : [...past]
    this.#isKilled = past !== null
    this.#fault = fault
    this.#log = log
    this.#disk = disk
    this.#watch = watch
  }

  /**
   * Returns the journal that one process uses. After the process is killed, the journal stores
   * nothing.
   */
  of(process: SimulatedProcess): Journal {
    return {
      create: (header) =>
        this.#disk === null ? undefined : process.track(this.#disk.create(header)),
      load: () => null,
      append: (_, record) =>
        process.isDead || this.#isDying ? never() : this.#append(record, process),
    }
  }

  #append(record: JournalRecord, process: SimulatedProcess): void | Promise<void> {
    const isTarget = !this.#isKilled && this.#fault?.record === this.records.length
    const isLost = isTarget && this.#fault?.kind === "kill-before"
    this.#watch.onStoring(process)
    if (isLost && isOutside(record)) this.#watch.onAnswerLost()
    if (!isLost) {
      this.records.push(record)
      this.#log.stored(record)
    }
    const stored = isLost ? undefined : this.#disk?.append(record)
    if (!isTarget) return stored === undefined ? undefined : process.track(stored)
    this.#isKilled = true
    this.#isDying = this.#disk !== null
    if (this.#disk === null) process.kill()
    else
      void process.track(
        Promise.resolve(stored).then(() => this.#disk?.kill(process.time, this.#watch.events())),
      )
    return never()
  }
}
