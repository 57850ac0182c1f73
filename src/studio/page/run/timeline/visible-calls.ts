import type { LaneCall } from "../folds/lanes.js"

/** The visible part of a timeline: a range of time and its width in pixels. */
export interface TimeScale {
  readonly from: number
  readonly to: number
  readonly width: number
}

/** One bar of the timeline: a call, or several calls that are too short to be drawn alone. */
export interface CallBar {
  readonly first: LaneCall
  /** Number of calls that the bar contains. */
  readonly count: number
  /** In pixels. */
  readonly left: number
  readonly width: number
  readonly isFailed: boolean
}

/** Calls whose bars would be closer together than this many pixels share a bar. */
const minGap = 3

/** Minimum width of a bar in pixels. */
const minWidth = 4

/** Returns the position of a time in pixels. */
export const positionOf = (time: number, { from, to, width }: TimeScale): number =>
  ((time - from) / Math.max(1, to - from)) * width

/**
 * Returns the bars of a row of calls. The work depends on the number of visible bars, not on the
 * number of calls. `now` is the end of a call in flight.
 */
export function visibleCalls(
  row: readonly LaneCall[],
  scale: TimeScale,
  now: number,
): readonly CallBar[] {
  const endOf = ({ call }: LaneCall): number => call.end ?? now
  const timePerPixel = Math.max(1, scale.to - scale.from) / Math.max(1, scale.width)
  const bars: CallBar[] = []
  let index = firstWhere(row, 0, (call) => endOf(call) >= scale.from)
  for (let first = row[index]; first !== undefined; first = row[index]) {
    if (first.call.start > scale.to) break
    const left = positionOf(first.call.start, scale)
    // Short calls after this call share its bar. They are skipped without looking at each of them.
    const shortest = first.call.start + minWidth * timePerPixel
    const isShort = endOf(first) < shortest
    const next = isShort
      ? firstWhere(row, index + 1, ({ call }) => call.start >= shortest + minGap * timePerPixel)
      : index + 1
    const last = row[next - 1] ?? first
    const right = positionOf(Math.min(endOf(last), scale.to), scale)
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

/** Returns the first index from `start` on whose call fulfils a condition that holds from there on. */
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
