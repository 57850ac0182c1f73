import type { RunEvent } from "../../../api.js"

/**
 * A time range that the timeline of a fork omits: from the last copied event to the fork's first
 * own event.
 */
export interface TimeGap {
  readonly from: number
  readonly to: number
}

/**
 * Returns the time range between the last event before the start of a run and the first event after
 * it. Returns null if there are no events on one side, as for a run that is not a fork.
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
 * Converts a time to its position on the time axis in milliseconds. The axis omits the time range
 * `gap`.
 */
export const axisTime = (time: number, gap: TimeGap | null): number =>
  gap === null || time <= gap.from ? time : Math.max(gap.from, time - (gap.to - gap.from))
