import { Session } from "node:inspector/promises"
import { setFlagsFromString } from "node:v8"
import { expect } from "vitest"

const factor = 8

/**
 * V8 counts the iterations of the loops of a function only if the count starts before the function is
 * compiled. So a test file imports this module first, and runs in a separate process. Optimized code
 * does not count the calls of inlined functions.
 */
setFlagsFromString("--no-opt")
const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })

/**
 * Checks that 8 times the input needs less than 16 times the operations. Linear work needs about 8
 * times as many operations, and quadratic work 64 times. The speed of the machine does not matter.
 */
export async function expectLinearGrowth(
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  const small = await countOperations(() => work(size))
  const large = await countOperations(() => work(size * factor))
  expect(small).toBeGreaterThan(size)
  expect(large / small).toBeLessThan(factor * 2)
}

/** Returns how many function calls, loop iterations and branches some work executes. */
export async function countOperations(work: () => unknown): Promise<number> {
  await session.post("Profiler.takePreciseCoverage")
  await work()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  return result
    .filter(
      ({ url }) => !/^node:|\/node_modules\/(@vitest|vite|vitest|tinyrainbow|chai)\//.test(url),
    )
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}
