import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { examplesFolder } from "./example-folder.js"

const run = promisify(execFile)
const built = fileURLToPath(new URL("../../dist/index.js", import.meta.url))
const programs = readdirSync(examplesFolder).filter((name) => name.startsWith("embed-"))

test("there are programs that embed the package", () => expect(programs).toEqual(["embed-actor.mjs", "embed-run.mjs"]))

test.each(programs)("%s runs with plain node against the built package", { timeout: 40_000 }, async (program) => {
  expect(existsSync(built), "the package has to be built first: npm run build").toBe(true)
  const { stdout, stderr } = await run(process.execPath, [join(examplesFolder, program)], { timeout: 30_000 })
  expect(stderr).toBe("")
  expect(stdout).toMatch(/^completed: /m)
})
