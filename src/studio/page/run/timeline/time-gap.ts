import type { RunEvent } from "../../../api.js"

/**
 * The time range between the last copied event of a fork and its first new event. The timeline
 * omits it. `from` and `to` are milliseconds since the epoch.
 */
export interface TimeGap {
  readonly from: number
  readonly to: number
}

/**
 * Returns the time range from the last event before the start of a run to the first event after it.
 * Returns null if there are no events before or after the start. Only the events that a fork has
 * copied can be before its start.
 */
export function timeGap(events: readonly RunEvent[], startedAt: number): TimeGap | null {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.at ?? 0) < startedAt) low = middle + 1
    else high = middle
  }
  const [last, next] = [events[low - 1], events[low]]
  return last === undefined || next === undefined ? null : { from: last.at, to: next.at }
}

/**
 * Converts a time to its position on the time axis, which omits the time range `gap`. Times after
 * the gap are reduced by its length. All values are in milliseconds.
 */
export const axisTime = (time: number, gap: TimeGap | null): number =>
  gap === null || time <= gap.from ? time : Math.max(gap.from, time - (gap.to - gap.from))
