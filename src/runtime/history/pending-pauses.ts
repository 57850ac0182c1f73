import type { RecordedTime } from "./recorded-time.js"

/**
 * Purpose of a pause. `retry` delays the next attempt of a call, `deadline` limits the time of
 * other work, and `pause` is a wait that the workflow defines.
 */
type PauseKind = "retry" | "deadline" | "pause"

interface Pause {
  readonly until: number
  readonly kind: PauseKind
  end(): void
}

/**
 * The pauses of a run that reuses the recorded results of another run. A pause is a call that only
 * waits until a time. Only pauses whose end was not recorded are stored here.
 */
export class PendingPauses {
  readonly #time: RecordedTime
  readonly #pauses = new Set<Pause>()
  /**
   * A time before which no pause ends, in milliseconds since the epoch. If this time is not
   * reached, `endFirst` need not search the pauses.
   */
  #earliest = Number.POSITIVE_INFINITY

  constructor(time: RecordedTime) {
    this.#time = time
  }

  /**
   * Adds a pause and returns a function that stops it. `until` is the end of the pause in
   * milliseconds since the epoch. `complete` is called at the end of the pause with the current
   * time of the run.
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
    // The time of a pause in the workflow is skipped, so it needs no timer. A deadline only passes
    // while calls are made.
    const cancel = kind === "pause" ? () => {} : this.#time.wakeAt(until, () => pause.end())
    this.#pauses.add(pause)
    this.#earliest = Math.min(this.#earliest, until)
    return stop
  }

  /**
   * Ends the earliest pause that is due at `time`, except retry delays. Returns true if a pause was
   * ended.
   *
   * `time` is infinite if only the end of a pause can continue the run. A deadline then ends only
   * if it precedes the end of a pause that the workflow defines.
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
