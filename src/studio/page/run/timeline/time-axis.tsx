import { durationText } from "../../parts/duration.js"
import type { TimeScale } from "./visible-calls.js"
import { axisPositionOf } from "./visible-calls.js"

/** Minimum distance between two labels of the time axis, in pixels. */
const minDistance = 90

/** Component for the time axis of the timeline. Its labels are times since the start of the run. */
export function TimeAxis({ scale, start }: { readonly scale: TimeScale; readonly start: number }) {
  const step = stepOf((scale.to - scale.from) / Math.max(1, scale.width / minDistance))
  const first = Math.ceil((scale.from - start) / step) * step
  const times: number[] = []
  for (let time = first; start + time <= scale.to; time += step) times.push(time)
  return (
    <div class="time-axis" aria-hidden="true">
      {times.map((time) => (
        <span key={time} style={{ left: `${axisPositionOf(start + time, scale)}px` }}>
          {time === 0 ? "0" : durationText(time)}
        </span>
      ))}
    </div>
  )
}

/**
 * Returns the time between two labels of the axis in milliseconds. It is the smallest round
 * duration of at least `ms`, for example 200 or 5,000.
 */
function stepOf(ms: number): number {
  const seconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600]
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500].concat(seconds.map((count) => count * 1_000))
  const hours = 3_600_000
  return steps.find((step) => step >= ms) ?? Math.ceil(ms / hours) * hours
}
