import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder } from "../support/temporary-folder.js"
import { isBuilt, main } from "./built-command.js"

/** Replaces `enableCompileCache` of newer versions of Node with a function that prints the cache folder. */
const printFolder = `data:text/javascript,${encodeURIComponent(
  'import module from "node:module"; module.enableCompileCache = (folder) => console.error(folder)',
)}`

const versionOf = (command: string, ...options: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...options, command, "--version"],
    { encoding: "utf8" },
  )
  return { status, stdout, stderr }
}

test.skipIf(!isBuilt)(
  "an installed command caches its compiled code in node_modules/.cache",
  () => {
    const packages = join(realpathSync(temporaryFolder("installed-")), "node_modules")
    const dist = join(packages, "agent-statecharts/dist")
    const installed = join(dist, "cli/main.js")
    mkdirSync(dirname(installed), { recursive: true })
    copyFileSync(main, installed)
    symlinkSync(join(dirname(main), "../shared"), join(dist, "shared"), "junction")
    const { status, stderr } = versionOf(installed, "--import", printFolder)
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `${join(packages, ".cache/agent-statecharts")}\n`,
    })
  },
)

test.skipIf(!isBuilt)("a command of the repository caches no compiled code", () => {
  expect(versionOf(main, "--import", printFolder)).toEqual(versionOf(main))
})
