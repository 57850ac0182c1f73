import { spawn } from "node:child_process"
import { join } from "node:path"
import { execPath } from "node:process"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundleProgram } from "../support/bundle-program.mjs"
import type { PropertyName } from "./all-properties.js"
import { plantBugs } from "./plant-bugs.js"
import { plantedBugs } from "./planted-bugs.js"

let bundle: Awaited<ReturnType<typeof bundleProgram>>

beforeAll(async () => {
  const plugins = [plantBugs(plantedBugs)]
  bundle = await bundleProgram(join(import.meta.dirname, "trial.ts"), { plugins })
})

afterAll(() => bundle.remove())

interface Tried {
  readonly isCaught: boolean
  readonly told: string
}

/** Checks properties, separated by commas, with or without a planted bug. A separate process is needed, because a bug may cause an endless loop. */
async function tryWith(
  bug: number | "none",
  property: PropertyName | "ends and agrees,survives,breaks",
  cases: number,
  seed = 1,
): Promise<Tried> {
  const child = spawn(
    execPath,
    [bundle.start, property, "both", String(cases), String(seed), "quick"],
    {
      env: { ...process.env, PLANTED_BUG: String(bug) },
      timeout: 220_000,
    },
  )
  let told = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (told += text.toString()))
  const code = await new Promise((resolve) => child.on("close", resolve))
  return { isCaught: code !== 0, told }
}

describe("planted bugs", () => {
  test("every property passes without a planted bug", async () => {
    // Each bug below is found within five cases.
    const { isCaught, told } = await tryWith("none", "ends and agrees,survives,breaks", 6)
    expect(isCaught, told).toBe(false)
    expect(told.match(/, 6 cases, /g)).toHaveLength(3)
  })

  test.each(plantedBugs.map((bug, index) => ({ ...bug, index })))(
    "the property '$caughtBy' finds the planted bug: $what",
    async ({ index, caughtBy, seed }) => {
      const { isCaught, told } = await tryWith(index, caughtBy, 600, seed)
      expect(isCaught, `nothing was found: ${told}`).toBe(true)
      expect(told, "a property has found it").toContain("Property failed")
    },
  )
})
