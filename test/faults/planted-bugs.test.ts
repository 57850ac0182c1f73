import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { execPath } from "node:process"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bundleTrial } from "../properties/bundle-trial.js"
import { bugsOfFaults } from "./planted-bugs.js"

const projectFolder = join(import.meta.dirname, "../..")
let folder = ""

beforeAll(async () => {
  // Inside of node_modules, so that packages are found from there.
  folder = await mkdtemp(join(projectFolder, "node_modules/.planted-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Certifies an example in a process of its own, because a bug may be one that never ends. */
async function outputOf(file: string, example: string): Promise<string> {
  const child = spawn(execPath, [file, `examples/${example}`], {
    cwd: projectFolder,
    timeout: 60_000,
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()))
  await new Promise((resolve) => child.on("close", resolve))
  return output
}

test.each(bugsOfFaults.map((bug, index) => ({ ...bug, index })))(
  "faults finds $invariant on $example if $what",
  async ({ index, example, invariant, ...patch }) => {
    const program = join(import.meta.dirname, "trial.ts")
    const file = await bundleTrial(join(folder, `bug-${index}`), patch, program)
    expect(await outputOf(file, example)).toMatch(new RegExp(`^${invariant} \\(`, "m"))
  },
)
