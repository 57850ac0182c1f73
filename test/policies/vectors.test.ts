import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { cli } from "../cli/command.js"
import { playVector } from "./play-vector.mjs"

const folder = fileURLToPath(new URL("vectors/", import.meta.url))

// `npm run vectors -- policies` plays the runs of all vectors. Here, every eighth vector is enough.
// The scenarios of runs order branches by delays. A busy machine may not keep them each time.
test.each([...readdirSync(folder).sort().entries()])(
  "vector %i, %s, gives the expected verdicts and runs",
  { retry: 2 },
  async (index, name) => {
    const failures = await playVector(join(folder, name), cli, index % 8 === 0)
    expect(failures).toEqual([])
  },
)
