import type { RecordedTime } from "./recorded-time.js"

/**
 * The purpose of a pause: `retry` delays another attempt, `deadline` limits the time of other work,
 * and `pause` is part of the workflow.
 */
type PauseKind = "retry" | "deadline" | "pause"

interface Pause {
  readonly until: number
  readonly kind: PauseKind
  end(): void
}

/** The pauses that have no recorded end, in a run that reuses recorded results. */
export class PendingPauses {
  readonly #time: RecordedTime
  readonly #pauses = new Set<Pause>()
  /** Lower bound for the end of all pauses. No pause ends before this time. */
  #earliest = Number.POSITIVE_INFINITY

  constructor(time: RecordedTime) {
    this.#time = time
  }

  /**
   * Adds a pause and returns a function that stops it. `complete` receives the time at which the
   * pause ends.
   */
  add(until: number, kind: PauseKind, complete: (at: number) => void): () => void {
    const endCall = kind === "retry" ? this.#time.startCall() : () => {}
    const stop = (): void => {
      cancel()
      this.#pauses.delete(pause)
      endCall()
    }
    const pause: Pause = {
      until,
      kind,
      end: () => {
        stop()
        this.#time.advance(until)
        complete(Math.max(until, this.#time.now()))
      },
    }
    // Pauses of the workflow are skipped. Deadlines only pass while calls are made.
    const cancel = kind === "pause" ? () => {} : this.#time.wakeAt(until, () => pause.end())
    this.#pauses.add(pause)
    this.#earliest = Math.min(this.#earliest, until)
    return stop
  }

  /**
   * Ends the earliest pause that is due by `time` and is not a retry delay. Returns whether a pause
   * was ended. If `time` is infinite, deadlines are only ended while a pause of the workflow is
   * pending.
   */
  endFirst(time: number): boolean {
    if (this.#earliest > time || this.#pauses.size === 0) return false
    let first: Pause | null = null
    let hasPause = false
    for (const pause of this.#pauses) {
      if (pause.kind === "retry") continue
      if (pause.kind === "pause") hasPause = true
      if (first === null || pause.until < first.until) first = pause
    }
    this.#earliest = first?.until ?? Number.POSITIVE_INFINITY
    if (first === null || first.until > time) return false
    if (time === Number.POSITIVE_INFINITY && !hasPause) return false
    first.end()
    return true
  }
}
