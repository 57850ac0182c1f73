import { spawn } from "node:child_process"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"

/** A part of `npm run test:kill`, which kills at every position of the journal, and with `-- --full` at 200 random moments besides. */
test.skipIf(!isBuilt)("a run that is killed and taken up by another process ends as if nothing had been", { timeout: 300_000 }, async () => {
  const child = spawn(process.execPath, ["test/kill/run.mjs", "--every", "5", "--random", "4"], { cwd: projectFolder, stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise((resolve) => child.on("close", resolve))
  expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/\n20 passed, 0 failed\n$/) })
})
