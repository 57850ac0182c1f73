import type { LaneCall } from "../folds/lanes.js"
import type { TimeGap } from "./time-gap.js"
import { axisTime } from "./time-gap.js"

/** The visible time range of a timeline, and its width in pixels. */
export interface TimeScale {
  /** The first visible time in milliseconds. */
  readonly from: number
  /** The last visible time in milliseconds. */
  readonly to: number
  readonly width: number
  /** The time range that the time axis omits. Null if it omits none. */
  readonly gap: TimeGap | null
}

/**
 * A bar in the timeline. It represents a call, or several consecutive calls that are too short for
 * separate bars.
 */
export interface CallBar {
  readonly first: LaneCall
  /** Number of calls that the bar represents. */
  readonly count: number
  /** Distance of the bar from the left edge of the visible range, in pixels. */
  readonly left: number
  readonly width: number
  readonly isFailed: boolean
}

/**
 * Minimum distance in pixels between two bars of the timeline, which represent calls. Short calls
 * whose bars would be closer together share a bar.
 */
const minGap = 3

/** Minimum width of a bar in the timeline, in pixels. */
const minWidth = 4

/**
 * Converts a time on the time axis to its horizontal position in pixels. Position 0 is the start of
 * the visible range.
 */
export const axisPositionOf = (time: number, { from, to, width }: TimeScale): number =>
  ((time - from) / Math.max(1, to - from)) * width

/**
 * Converts a time to its horizontal position in pixels. Position 0 is the start of the visible
 * range. The omitted time range `scale.gap` has no width.
 */
export const positionOf = (time: number, scale: TimeScale): number =>
  axisPositionOf(axisTime(time, scale.gap), scale)

/**
 * Returns the visible bars for a row of calls. The bar of a call in flight ends at the time `now`.
 * The computation time depends mainly on the number of visible bars, not on the number of calls.
 */
export function visibleCalls(
  row: readonly LaneCall[],
  scale: TimeScale,
  now: number,
): readonly CallBar[] {
  const startOf = ({ call }: LaneCall): number => axisTime(call.start, scale.gap)
  const endOf = ({ call }: LaneCall): number => axisTime(call.end ?? now, scale.gap)
  const timePerPixel = Math.max(1, scale.to - scale.from) / Math.max(1, scale.width)
  const bars: CallBar[] = []
  let index = firstWhere(row, 0, (call) => endOf(call) >= scale.from)
  for (let first = row[index]; first !== undefined; first = row[index]) {
    if (startOf(first) > scale.to) break
    const left = axisPositionOf(startOf(first), scale)
    // Short calls after this call share its bar. They are skipped without looking at each of them.
    const shortest = startOf(first) + minWidth * timePerPixel
    const isShort = endOf(first) < shortest
    const next = isShort
      ? firstWhere(row, index + 1, (call) => startOf(call) >= shortest + minGap * timePerPixel)
      : index + 1
    const last = row[next - 1] ?? first
    const right = axisPositionOf(Math.min(endOf(last), scale.to), scale)
    bars.push({
      first,
      count: next - index,
      left: Math.max(0, left),
      width: Math.max(minWidth, right - Math.max(0, left)),
      isFailed: first.call.error !== null,
    })
    index = next
  }
  return bars
}

/**
 * Returns the index of the first call at or after the index `start` for which `holds` returns true.
 * Uses binary search, so if `holds` is true for a call, it must be true for all later calls.
 */
function firstWhere(
  row: readonly LaneCall[],
  start: number,
  holds: (call: LaneCall) => boolean,
): number {
  let [low, high] = [start, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const call = row[middle]
    if (call !== undefined && !holds(call)) low = middle + 1
    else high = middle
  }
  return low
}
