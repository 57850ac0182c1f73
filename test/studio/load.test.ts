import { describe, expect, test } from "vitest"
import { limits, studioLoad } from "../../bench/studio.mjs"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the page of a run with many events", () => {
  // `npm run bench -- --part studio` also measures frames and waiting times for a minute. They
  // depend on the other programs of the machine, CPU time does not.
  test("handles thousands of events in short tasks", { timeout: 120_000 }, async () => {
    const found = await studioLoad({ events: 8_000, seconds: 6 })
    expect(found.events).toBeGreaterThan(7_000)
    expect(found.requests).toBeGreaterThan(0)
    expect(found.tabs).toBeGreaterThanOrEqual(3)
    expect(found.longestTaskCpuMs).toBeLessThan(limits.taskMs)
  })
})
