import type { RunEvent } from "../../../api.js"

/** The time between the recorded events of a fork and its own first event, which the timeline omits. */
export interface TimeGap {
  readonly from: number
  readonly to: number
}

/**
 * Returns the time between the last event before the start of a run and the first event after it.
 * null: all events are on one side, as in a run that is not a fork.
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

/** Returns a time on the axis of a timeline, from which the gap is omitted. */
export const axisTime = (time: number, gap: TimeGap | null): number =>
  gap === null || time <= gap.from ? time : Math.max(gap.from, time - (gap.to - gap.from))
