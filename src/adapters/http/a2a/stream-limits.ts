import type { TaskClock } from "../../../machines/workflow-agent/remote-task.js"

/** A stream without any data for this time is closed, in milliseconds. */
const maxSilenceMs = 60_000

interface StreamTimes {
  readonly clock: TaskClock
  /** Maximum time until the first data, in milliseconds. */
  readonly firstMs: number
  /** Signals that also close the stream. */
  readonly signals: readonly AbortSignal[]
}

/**
 * Returns a signal that closes a stream: if one of the signals is aborted, if the first data does
 * not arrive in time, or after a time without data. `reason` creates the error of a timeout.
 */
export function streamLimits(
  { clock, firstMs, signals }: StreamTimes,
  reason: () => Error,
): { readonly signal: AbortSignal; started(): void; done(): void } {
  const controller = new AbortController()
  let lastData: number | null = null
  let cancel = clock.wakeAt(clock.now() + firstMs, check)
  function check(): void {
    const due = lastData === null ? 0 : lastData + maxSilenceMs
    if (clock.now() >= due) controller.abort(reason())
    else cancel = clock.wakeAt(due, check)
  }
  return {
    signal: AbortSignal.any([...signals, controller.signal]),
    started: () => {
      lastData = clock.now()
    },
    done: () => cancel(),
  }
}
