import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { execPath } from "node:process"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Patch } from "./bundle-trial.js"
import { bundleTrial } from "./bundle-trial.js"
import type { PropertyName } from "./all-properties.js"
import { plantedBugs } from "./planted-bugs.js"

/** Inside of node_modules, so that packages are found from there. */
const above = join(import.meta.dirname, "../../node_modules")
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(above, ".planted-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Tried {
  readonly isCaught: boolean
  readonly told: string
}

/** Tries a property on the library with a patch, in a process of its own: a bug may well be one that never ends. */
async function tryWith(
  patch: Patch | null,
  property: PropertyName,
  cases: number,
  name: string,
  seed = 1,
): Promise<Tried> {
  const file = await bundleTrial(join(folder, name), patch)
  const child = spawn(execPath, [file, property, "both", String(cases), String(seed), "quick"], {
    timeout: 100_000,
  })
  let told = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (told += text.toString()))
  const code = await new Promise((resolve) => child.on("close", resolve))
  return { isCaught: code !== 0, told }
}

describe("a bug that is planted", { timeout: 120_000 }, () => {
  test.each(["ends and agrees", "survives", "breaks"] as const)(
    "is the only thing that is found: without one, %s holds",
    async (property) => {
      const { isCaught, told } = await tryWith(
        null,
        property,
        20,
        `none-${property.replaceAll(" ", "-")}`,
      )
      expect(isCaught, told).toBe(false)
    },
  )

  test.each(plantedBugs.map((bug, index) => ({ ...bug, index })))(
    "is caught by $caughtBy: $what",
    async ({ index, caughtBy, seed, ...patch }) => {
      const { isCaught, told } = await tryWith(patch, caughtBy, 600, `bug-${index}`, seed)
      expect(isCaught, `nothing was found: ${told}`).toBe(true)
      expect(told, "a property has found it").toContain("Property failed")
    },
  )
})
