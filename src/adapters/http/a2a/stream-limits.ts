import type { TaskClock } from "../../../machines/workflow-agent/remote-task.js"

/**
 * Maximum time without data in a stream, in milliseconds. A stream that sends no data for this time
 * is closed.
 */
const maxSilenceMs = 60_000

interface StreamTimes {
  readonly clock: TaskClock
  /** Maximum time until the first data arrives, in milliseconds. */
  readonly firstMs: number
  /** Signals that close the stream when they are aborted. */
  readonly signals: readonly AbortSignal[]
}

/**
 * Returns a signal that is aborted when a stream must be closed. This is the case if one of
 * `signals` is aborted, if the first data does not arrive in time, or if no more data arrives for a
 * minute. `reason` creates the error for the two timeouts. Call `started` for each chunk of data,
 * and `done` at the end of the stream.
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
