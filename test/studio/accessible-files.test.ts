import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { CompiledText } from "../../src/studio/api.js"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import { axeViolations } from "./axe-violations.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the first page and the view of a file", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    for (const name of ["adk-capital-schema", "adk-story-flow"]) place.addExample(name)
    place.write("broken.json", { rootAgentId: "writer", agents: [] })
  })
  afterAll(() => place.stop())

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("are accessible in %s mode, %i pixels wide", async (colorScheme, width) => {
    const { page, close } = await place.open(undefined, { colorScheme, width, height: 844 })
    const check = async (): Promise<void> => {
      expect(await axeViolations(page)).toEqual([])
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrolled).toBeLessThanOrEqual(width)
    }
    const open = async (path: string): Promise<void> => {
      const toggle = page.getByRole("button", { name: "List" })
      if (await toggle.isVisible()) {
        await toggle.focus()
        await page.keyboard.press("Enter")
        await check()
      }
      // Keys are enough.
      await page.locator(`.files a[data-path="${path}"]`).focus()
      await page.keyboard.press("Enter")
      await page.locator(".cm-content").waitFor()
    }
    await page.locator(".workflow-cards a").first().waitFor()
    await check()
    await open("adk-capital-schema/workflow.json")
    await page.getByText("Change agents for this run").focus()
    await page.keyboard.press("Enter")
    await page.getByText(/^History/).focus()
    await page.keyboard.press("Enter")
    await check()
    await open("adk-story-flow/workflow.json")
    await page.locator(".missing").waitFor()
    await check()
    await open("broken.json")
    await page.locator(".problems li").first().waitFor()
    await check()
    await close()
  })
})

describe.skipIf(!isBuilt || noBrowser !== null)("a studio with prices", () => {
  test("says which price is missing before a run", async () => {
    const examples = await studioFolder()
    examples.addExample("adk-capital-schema")
    examples.write("prices.json", { other: { input: 1, output: 1 } })
    await examples.restart(["--prices", join(examples.folder, "prices.json")])
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
