import { vi } from "vitest"

/**
 * Runs `check` until it stops throwing and returns its result. It has no separate deadline that a slow
 * machine could miss. Shortly before the test's timeout, it throws the last error of `check`.
 */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 200_000, interval: 10 })
