import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { isBuilt, main } from "./built-command.js"

/** Replaces the version of Node before the command is loaded. */
const pretend = (version: string): string =>
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`,
  )}`

const started = (version: string) =>
  spawnSync(process.execPath, ["--import", pretend(version), main, "--version"], {
    encoding: "utf8",
  })

test.skipIf(!isBuilt)("an old version of Node is reported before other modules are loaded", () => {
  const { status, stderr, stdout } = started("18.20.8")
  expect({ status, stderr, stdout }).toEqual({
    status: 2,
    stderr:
      "Node 20.19 or newer is required, this is 18.20.8. Install a newer version from https://nodejs.org\n",
    stdout: "",
  })
  expect(started("20.18.3").status).toBe(2)
  expect(started("20.19.0").status).toBe(0)
  expect(started("22.0.0").status).toBe(0)
})

test.skipIf(!isBuilt)(
  "the command imports other modules only after it has checked the version",
  () =>
    expect(readFileSync(main, "utf8")).not.toMatch(
      /^(?:import|export)\s.*\bfrom\b|^import\s*["']/m,
    ),
)
