import { spawn } from "node:child_process"
import { join } from "node:path"
import { execPath } from "node:process"
import { afterAll, beforeAll, expect, test } from "vitest"
import { plantBugs } from "../properties/plant-bugs.js"
import { bundleProgram } from "../support/bundle-program.mjs"
import { bugsOfFaults } from "./planted-bugs.js"

const projectFolder = join(import.meta.dirname, "../..")
let bundle: Awaited<ReturnType<typeof bundleProgram>>

beforeAll(async () => {
  bundle = await bundleProgram(join(import.meta.dirname, "trial.ts"), {
    plugins: [plantBugs(bugsOfFaults)],
    // No process loads this module, which uses top-level await.
    external: [/\/adapters\/tool\/mcp\/index\.js$/],
  })
})

afterAll(() => bundle.remove())

/** Certifies an example in a separate process, because a bug may cause an endless loop. */
async function outputOf(bug: number, example: string): Promise<string> {
  const child = spawn(execPath, [bundle.start, `examples/${example}`], {
    cwd: projectFolder,
    env: { ...process.env, PLANTED_BUG: String(bug) },
    timeout: 220_000,
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()))
  await new Promise((resolve) => child.on("close", resolve))
  return output
}

test.each(bugsOfFaults.map((bug, index) => ({ ...bug, index })))(
  "faults finds $invariant on $example if $what",
  async ({ index, example, invariant }) => {
    expect(await outputOf(index, example)).toMatch(new RegExp(`^${invariant} \\(`, "m"))
  },
)
