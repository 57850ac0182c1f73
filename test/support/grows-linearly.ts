import { expect } from "vitest"

const factor = 8

/**
 * Checks that 8 times the input costs less than 24 times the processor time: linear work costs about 8
 * times as much, quadratic work 64 times. Both sizes are measured in the same process, the least of a few
 * rounds each, so neither the speed of the machine nor other processes decide.
 */
export async function expectLinearGrowth(
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 5; round++) {
    small = Math.min(small, await processorTime(() => work(size)))
    large = Math.min(large, await processorTime(() => work(size * factor)))
    if (large < small * factor * 2) return
  }
  expect(large / small).toBeLessThan(factor * 3)
}

/** Returns the microseconds of processor time that some work took. */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
