import { useState } from "preact/hooks"

interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The visible time range of the timeline, and functions that change it. */
export interface TimeWindow extends TimeRange {
  /** Whether the whole run is visible. */
  readonly isWhole: boolean
  /** Whether the visible range follows the end of the run while the run continues. */
  readonly isFollowing: boolean
  /**
   * Multiplies the length of the visible range by `factor`. The time `anchor` keeps its position on
   * the screen. Default: the middle of the range.
   */
  zoom(factor: number, anchor?: number): void
  /** Moves the visible range by `ms` milliseconds. */
  pan(ms: number): void
  showAll(): void
  follow(): void
}

/** Shortest visible range in milliseconds. */
const minLength = 5

/** Manages which part of a time range is visible. Initially, the whole range is visible. */
export function useTimeWindow({ from: start, to: end }: TimeRange): TimeWindow {
  /**
   * The range that the user has selected. null: the whole range. A number: the last part of the
   * range, with this length in milliseconds. A `TimeRange`: exactly this range.
   */
  const [chosen, setChosen] = useState<TimeRange | number | null>(null)
  const whole = Math.max(minLength, end - start)
  const visible: TimeRange =
    chosen === null
      ? { from: start, to: start + whole }
      : typeof chosen === "number"
        ? { from: Math.max(start, end - chosen), to: Math.max(end, start + chosen) }
        : chosen
  const length = visible.to - visible.from
  return {
    ...visible,
    isWhole: chosen === null,
    isFollowing: typeof chosen === "number" || chosen === null,
    zoom(factor, anchor = (visible.from + visible.to) / 2) {
      const next = Math.max(minLength, length * factor)
      if (next >= whole) return setChosen(null)
      if (typeof chosen === "number") return setChosen(next)
      const before = (anchor - visible.from) * (next / length)
      setChosen(clamped(anchor - before, next, start, start + whole))
    },
    pan: (ms) => {
      if (chosen !== null) setChosen(clamped(visible.from + ms, length, start, start + whole))
    },
    showAll: () => setChosen(null),
    follow: () => setChosen(length >= whole ? null : length),
  }
}

/**
 * Returns a range with the given length that lies between `start` and `end`, as close to `from` as
 * possible. A range that is too long begins at `start`.
 */
function clamped(from: number, length: number, start: number, end: number): TimeRange {
  const first = Math.max(start, Math.min(from, end - length))
  return { from: first, to: first + length }
}
