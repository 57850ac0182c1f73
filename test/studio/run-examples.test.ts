import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { CompiledText, StudioFile, StudioRun } from "../../src/studio/api.js"
import { isBuilt } from "../cli/built-command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { noBrowser } from "../support/browser.js"
import { sampleOf } from "../support/random-cases.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the list of workflows", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    cpSync(join(projectFolder, "examples"), place.folder, { recursive: true })
  })
  afterAll(() => place.stop())

  const ask = async (path: string, body: object): Promise<unknown> => {
    const answer = await place.studio.ask(path, { method: "POST", body })
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  /** Sends the requests of the page: the consent, the check of the text and the start. */
  const start = async ({ path: file, scenario, module }: StudioFile): Promise<void> => {
    if (module !== null) await ask("/module", { file, isAllowed: true })
    const text = readFileSync(join(place.folder, file), "utf8")
    const body = { file, text, scripted: scenario !== null }
    const { missing, prompt } = (await ask("/check", body)) as CompiledText
    expect(missing, file).toEqual([])
    await ask("/runs", { ...body, ...(prompt === null ? {} : { prompt }) })
  }

  test("every example can be run with at most one click to allow its services", async () => {
    const files = (await place.studio.ask("/files")).body as readonly StudioFile[]
    expect(files.length).toBeGreaterThan(30)
    // The page sends the same requests for every example, so the others are started without it.
    const inPage = new Set(
      [true, false].flatMap((hasModule) =>
        sampleOf(
          files.filter(({ module }) => (module !== null) === hasModule),
          8,
        ),
      ),
    )
    for (const file of files) if (!inPage.has(file)) await start(file)
    const { page, run, close } = await place.open()
    const consent = page.getByRole("checkbox", { name: /^Use services\.mjs/ })
    for (const { path } of inPage) {
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
