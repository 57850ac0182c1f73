import type { Clock } from "../host.js"

/**
 * The time of a run, which never goes back. When the clock is set back, or the run is taken up on a machine whose clock is
 * behind, time goes on from the latest moment that the run has seen: no event stands before its cause, and no pause lasts longer
 * than it was meant to.
 *
 * @param since the latest moment that is known of the run.
 */
export function steadyClock(clock: Clock, since: number): Clock {
  let latest = since
  /** How far the run is ahead of the clock. */
  let ahead = 0
  const now = (): number => {
    const read = clock.now()
    if (read + ahead < latest) ahead = latest - read
    latest = read + ahead
    return latest
  }
  return {
    now,
    wakeAt(at, wake) {
      now()
      return clock.wakeAt(at - ahead, () => {
        // Whatever the clock says by now, that much time has passed.
        latest = Math.max(latest, at)
        wake()
      })
    },
  }
}
