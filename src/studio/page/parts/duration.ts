/** Formats a duration for users, for example `340 ms`, `2.4 s`, `3 min 20 s` or `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/**
 * Formats the time since the start of a run with milliseconds, for example `+0.340` or `+1:02.400`.
 */
export function offsetText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)]
  const two = (value: number): string => String(value).padStart(2, "0")
  const whole =
    hours > 0
      ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
      : minutes > 0
        ? `${minutes}:${two(seconds % 60)}`
        : String(seconds)
  return `+${whole}.${String(Math.floor(ms) % 1_000).padStart(3, "0")}`
}

const counts = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

/** Formats a number of tokens for users, for example `830` or `12.4K`. */
export const countText = (count: number): string => counts.format(count)
