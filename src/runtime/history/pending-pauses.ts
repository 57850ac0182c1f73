import type { RecordedTime } from "./recorded-time.js"

/** Whether a pause delays an attempt, limits other work, or is part of the workflow. */
type PauseKind = "retry" | "deadline" | "pause"

interface Pause {
  readonly until: number
  readonly kind: PauseKind
  end(): void
}

/** The pauses of a run that uses recorded results, as far as they have no recorded end. */
export class PendingPauses {
  readonly #time: RecordedTime
  readonly #pauses = new Set<Pause>()
  /** No pause ends before this time. */
  #earliest = Number.POSITIVE_INFINITY

  constructor(time: RecordedTime) {
    this.#time = time
  }

  /** Adds a pause and returns a function that stops it. `complete` receives the time of its end. */
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
   * Ends the first pause that is due by `time`, except delays before an attempt. If `time` is infinite, ends the first pause of the
   * workflow, and the deadlines before it. Returns whether a pause has ended.
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
