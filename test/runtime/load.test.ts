import { expect, test } from "vitest"
import { load } from "../../bench/load.mjs"
import { isBuilt } from "../cli/command.js"

test.skipIf(!isBuilt)(
  "4,000 concurrent runs with retries and slow human answers lose no events and leak no memory",
  { timeout: 300_000 },
  async () => {
    const told = await load({ concurrent: 4_000, total: 12_000 })
    expect(told).toMatchObject({
      started: 12_000,
      ended: 12_000,
      outOfOrder: 0,
      missed: 0,
      unfinished: 0,
      failed: 0,
      attempts: told.calls,
    })
    expect(told.calls).toBeGreaterThan(28_000)
    expect(told.simulatedHours).toBeGreaterThan(1)
    expect(told.heapSlope).toBeLessThan(0.01)
  },
)
