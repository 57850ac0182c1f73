import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { cli } from "../cli/command.js"
import { playVector } from "./play-vector.mjs"

const folder = fileURLToPath(new URL("vectors/", import.meta.url))

// The scenarios of runs order branches by delays. This clock waits for the process on a busy machine:
// it advances by ten milliseconds in each turn of the event loop that is due.
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "Date"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 10,
  })
})

afterEach(() => {
  vi.useRealTimers()
})

// `npm run vectors -- policies` plays the runs of all vectors. Here, every eighth vector is enough.
test.each([...readdirSync(folder).sort().entries()])(
  "the verdicts and runs of vector %i, %s, are as expected",
  async (index, name) => {
    const failures = await playVector(join(folder, name), cli, index % 8 === 0)
    expect(failures).toEqual([])
  },
)
