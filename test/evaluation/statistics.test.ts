import { describe, expect, test } from "vitest"
import {
  meanInterval,
  shareInterval,
  withinScores,
} from "../../src/evaluation/statistics/intervals.js"
import { meanOf } from "../../src/evaluation/statistics/mean.js"
import { studentQuantile } from "../../src/evaluation/statistics/student-quantile.js"

describe("statistics", () => {
  test("the quantiles of Student's t are exact for odd, even and large degrees of freedom", () => {
    const table = [
      [1, 12.706204736],
      [2, 4.302652729],
      [3, 3.182446305],
      [4, 2.776445105],
      [5, 2.570581835],
      [9, 2.262157163],
      [10, 2.228138852],
      [30, 2.042272456],
      [100, 1.983971519],
      [1000, 1.962339081],
    ] as const
    for (const [freedom, quantile] of table)
      expect(studentQuantile(freedom), String(freedom)).toBeCloseTo(quantile, 7)
  })

  test("the interval of a mean is limited to scores", () => {
    const values = [1, 0.785714, 0.875, 0.75]
    const [low, high] = meanInterval(values) ?? []
    expect(low).toBeCloseTo(0.675419, 5)
    expect(high).toBeCloseTo(1.029939, 5)
    expect(withinScores(meanInterval(values))?.[1]).toBe(1)
  })

  test("fewer than two values have no interval", () => {
    expect([meanInterval([]), meanInterval([1])]).toEqual([null, null])
    expect(meanOf([])).toBeNull()
    expect(meanOf([null, 1, 0])).toBe(0.5)
  })

  test("the interval of a share is the Wilson interval, even for a share of 0 or 1", () => {
    const [low, high] = shareInterval(3, 4)
    expect([low, high].map((bound) => Number(bound.toFixed(6)))).toEqual([0.300642, 0.954413])
    expect(shareInterval(0, 5)[0]).toBe(0)
    expect(shareInterval(5, 5)[1]).toBe(1)
  })
})
