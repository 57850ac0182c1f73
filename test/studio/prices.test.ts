import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { CompiledText } from "../../src/studio/api.js"
import { isBuilt } from "../cli/built-command.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt)("a studio with prices", () => {
  test("a missing price is reported before a run", async () => {
    const place = mkdtempSync(join(tmpdir(), "prices-"))
    onTestFinished(() => rmSync(place, { recursive: true }))
    const prices = join(place, "prices.json")
    writeFileSync(prices, JSON.stringify({ other: { input: 1, output: 1 } }))
    const examples = await studioFolder(["--prices", prices])
    examples.addExample("adk-capital-schema")
    const file = "adk-capital-schema/workflow.json"
    const text = readFileSync(join(examples.folder, file), "utf8")
    const body = { file, text, scripted: true }
    const checked = await examples.studio.ask("/check", { method: "POST", body })
    expect((checked.body as CompiledText).missing).toEqual([
      expect.stringContaining('has no price for the model "gemini-2.5-flash"'),
    ])
    expect(await examples.studio.ask("/runs", { method: "POST", body })).toMatchObject({
      status: 422,
      body: { code: "services_refused" },
    })
    expect((await examples.studio.ask("/runs")).body).toEqual([])
    await examples.stop()
  })
})
