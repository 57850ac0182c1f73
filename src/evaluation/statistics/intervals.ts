import type { ConfidenceInterval } from "../report/report.js"
import { meanOf } from "./mean.js"
import { studentQuantile } from "./student-quantile.js"

/**
 * Returns the 95 % confidence interval of a mean by Student's t distribution. Returns null for
 * fewer than two values.
 */
export function meanInterval(values: readonly number[]): ConfidenceInterval | null {
  const [mean, count] = [meanOf(values), values.length]
  if (mean === null || count < 2) return null
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  const half = (studentQuantile(count - 1) * Math.sqrt(variance)) / Math.sqrt(count)
  return [mean - half, mean + half]
}

/** Limits a confidence interval to the range of scores, which is from 0 to 1. */
export const withinScores = (interval: ConfidenceInterval | null): ConfidenceInterval | null =>
  interval === null ? null : [Math.max(0, interval[0]), Math.min(1, interval[1])]

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963985

/**
 * Returns Wilson's 95 % confidence interval for the share `passed / of`, without continuity
 * correction.
 */
export function shareInterval(passed: number, of: number): ConfidenceInterval {
  const share = passed / of
  const scale = 1 + z ** 2 / of
  const middle = share + z ** 2 / (2 * of)
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)]
}
