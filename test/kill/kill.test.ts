import { spawn } from "node:child_process"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { seed } from "../support/random-cases.js"

/** All of `npm run test:kill`: 27 positions, before and after, in two journals, and 200 random moments. Two minutes where two cores have nothing else to do. */
test.skipIf(!isBuilt)(
  "a run that is killed and taken up by another process ends as if nothing had been",
  { timeout: 1_800_000 },
  async () => {
    const child = spawn(
      process.execPath,
      ["test/kill/run.mjs", "--lanes", "2", "--seed", String(seed)],
      {
        cwd: projectFolder,
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/\n308 passed, 0 failed\n$/),
    })
  },
)
