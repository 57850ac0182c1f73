import { cpSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { StudioFile, StudioRun } from "../../src/studio/api.js"
import { isBuilt } from "../cli/built-command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { noBrowser } from "../support/browser.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the list of workflows", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    cpSync(join(projectFolder, "examples"), place.folder, { recursive: true })
  })
  afterAll(() => place.stop())

  test("every example runs with at most one click of consent", async () => {
    const files = (await place.studio.ask("/files")).body as readonly StudioFile[]
    expect(files.length).toBeGreaterThan(30)
    const { page, run, close } = await place.open()
    const consent = page.getByRole("checkbox", { name: /^Use services\.mjs/ })
    for (const { path } of files) {
      await page.locator(`.files a[data-path="${path}"]`).click()
      await page.locator(".file-title small", { hasText: path }).waitFor()
      await page.locator(".start button.main:enabled, .missing").first().waitFor()
      if (await page.locator(".missing").isVisible()) await consent.check()
      await run()
    }
    const failed = async (): Promise<readonly string[]> => {
      const runs = (await place.studio.ask("/runs")).body as readonly StudioRun[]
      expect(runs.length).toBeGreaterThanOrEqual(files.length)
      if (runs.some(({ status }) => status === "running")) return ["a run has not ended"]
      return runs.flatMap(({ chart, status }) =>
        status === "completed" || status === "waiting" ? [] : [`${chart} ${status}`],
      )
    }
    await expect.poll(failed).toEqual([])
    await close()
  })
})
