import { spawn } from "node:child_process"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { seed } from "../support/random-cases.js"

/**
 * Runs `npm run test:kill` with fewer kills: before and after all positions of the first journal and every sixth position of the
 * others, and at 8 random times instead of 200. Each process is killed in up to 80 runs, because starting a process costs more than
 * several runs.
 */
test.skipIf(!isBuilt)(
  "a run that is killed and resumed by another process has the result of an uninterrupted run",
  { timeout: 1_800_000 },
  async () => {
    const child = spawn(
      process.execPath,
      ["test/kill/run.mjs", "--lanes=2", "--random=8", "--runs=80", "--others=6", `--seed=${seed}`],
      {
        cwd: projectFolder,
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/\n\d{3} passed, 0 failed\n$/),
    })
  },
)
