import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"

const isInstalled = existsSync(`${projectFolder}engines/restate/node_modules`)

/**
 * Runs a part of `npm run test:restate` if the Restate server is installed. It is not a dependency,
 * so a new clone does not have it.
 */
test.skipIf(!isBuilt || !isInstalled)(
  "runs on Restate survive kills (needs: npm ci --prefix engines/restate)",
  { timeout: 300_000 },
  async () => {
    const child = spawn(
      process.execPath,
      ["test/restate/run.mjs", "--single", "--random", "1", "--every", "4"],
      { cwd: projectFolder, stdio: ["ignore", "pipe", "inherit"] },
    )
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/\n\d+ passed, 0 failed\n$/),
    })
  },
)
