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

const bundle = (name: string, patch: Patch | null): Promise<string> =>
  bundleTrial(join(folder, name), patch)

/** Tries a property on a bundle of the library, in a process of its own: a bug may well be one that never ends. */
async function tryWith(
  file: string,
  property: PropertyName,
  cases: number,
  seed = 1,
): Promise<Tried> {
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
  let unpatched: Promise<string>

  beforeAll(() => void (unpatched = bundle("none", null)))

  test.each(["ends and agrees", "survives", "breaks"] as const)(
    "is the only thing that is found: without one, %s holds",
    async (property) => {
      const { isCaught, told } = await tryWith(await unpatched, property, 20)
      expect(isCaught, told).toBe(false)
    },
  )

  test.each(plantedBugs.map((bug, index) => ({ ...bug, index })))(
    "is caught by $caughtBy: $what",
    async ({ index, caughtBy, seed, ...patch }) => {
      const file = await bundle(`bug-${index}`, patch)
      const { isCaught, told } = await tryWith(file, caughtBy, 600, seed)
      expect(isCaught, `nothing was found: ${told}`).toBe(true)
      expect(told, "a property has found it").toContain("Property failed")
    },
  )
})
