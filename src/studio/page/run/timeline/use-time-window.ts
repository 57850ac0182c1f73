import { useState } from "preact/hooks"

interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The visible time range of the timeline in milliseconds, and functions that change it. */
export interface TimeWindow extends TimeRange {
  /** Whether the visible range contains the whole run. */
  readonly isWhole: boolean
  /** Whether the visible range moves with the end of the run while the run continues. */
  readonly isFollowing: boolean
  /**
   * Multiplies the length of the visible range by `factor`. The time `anchor` does not move on the
   * screen. By default, it is the middle of the range.
   */
  zoom(factor: number, anchor?: number): void
  /** Moves the visible range by `ms` milliseconds. Negative values move it to earlier times. */
  pan(ms: number): void
  showAll(): void
  follow(): void
}

/** Minimum length of the visible range in milliseconds. */
const minLength = 5

/**
 * Hook that stores which part of a time range is visible. Initially, the whole range is visible.
 */
export function useTimeWindow({ from: start, to: end }: TimeRange): TimeWindow {
  /**
   * The selection of the visible range. Null selects the whole range. A number selects the end of
   * the range with this length in milliseconds. A `TimeRange` selects exactly this range.
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
 * Returns the range with the given length that is between `start` and `end` and begins as close to
 * `from` as possible. If the length is too large, the range begins at `start`.
 */
function clamped(from: number, length: number, start: number, end: number): TimeRange {
  const first = Math.max(start, Math.min(from, end - length))
  return { from: first, to: first + length }
}
