import { useState } from "preact/hooks"

interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The visible range of time, and how the user changes it. */
export interface TimeWindow extends TimeRange {
  /** Whether the whole run is visible. */
  readonly isWhole: boolean
  /** Whether the end of the run stays visible. */
  readonly isFollowing: boolean
  /** Makes the visible range `factor` times as long. `anchor` is the time that keeps its position. */
  zoom(factor: number, anchor?: number): void
  /** Moves the visible range by a time in milliseconds. */
  pan(ms: number): void
  showAll(): void
  follow(): void
}

/** Shortest visible range in milliseconds. */
const minLength = 5

/** Returns the visible part of a range of time. At first, the whole range is visible. */
export function useTimeWindow({ from: start, to: end }: TimeRange): TimeWindow {
  /** null shows the whole range. A number follows the end of the range with this length. */
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

/** Returns a range of a length that lies between a start and an end, as far as it fits. */
function clamped(from: number, length: number, start: number, end: number): TimeRange {
  const first = Math.max(start, Math.min(from, end - length))
  return { from: first, to: first + length }
}
