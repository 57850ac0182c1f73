import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { StudioRun } from "../../src/studio/api.js"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import { llm } from "../support/workflow.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the view of a workflow file", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    place.addExample("adk-story-flow")
  })
  afterAll(() => place.stop())

  const runs = async (): Promise<readonly StudioRun[]> =>
    (await place.studio.ask("/runs")).body as readonly StudioRun[]

  test("unsaved edits are kept, and a file that changed on disk is overwritten only on request", async () => {
    const config = { rootAgentId: "writer", agents: [llm("writer")] }
    place.write("draft.json", config)
    place.write("other.json", config)
    const file = join(place.folder, "draft.json")
    const { page, close } = await place.open("/file/draft.json")
    const editor = page.locator(".cm-content")
    const edit = async (text: string): Promise<void> => {
      await editor.click()
      await page.keyboard.press("ControlOrMeta+End")
      await page.keyboard.insertText(text)
      await page.getByText("Unsaved changes").waitFor()
    }
    await edit("\n// first")
    await page.locator('.files a[data-path="other.json"]').click()
    await page.locator(".file-title small", { hasText: "other.json" }).waitFor()
    await page.goBack()
    await page.getByText("Unsaved changes").waitFor()
    await page.reload()
    await editor.getByText("// first").waitFor()

    writeFileSync(file, JSON.stringify({ ...config, description: "From elsewhere." }))
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("The file changed on disk").waitFor()
    expect(readFileSync(file, "utf8")).toContain("From elsewhere.")
    await page.getByRole("button", { name: "Discard my changes" }).click()
    await editor.getByText("From elsewhere.").waitFor()

    await edit("\n// second")
    writeFileSync(file, JSON.stringify(config))
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Overwrite the file" }).click()
    await page.getByRole("button", { name: "Save" }).and(page.locator(":disabled")).waitFor()
    expect(readFileSync(file, "utf8")).toContain("// second")
    await close()
  })

  test("missing services are listed before a run, and code runs only with consent", async () => {
    const { page, close, statusIs, run } = await place.open("/file/adk-story-flow%2Fworkflow.json")
    const missing = page.locator(".missing")
    await missing.getByText('agent "story_flow" needs the service "story_flow"').waitFor()
    const button = page.getByRole("button", { name: "Run", exact: true })
    expect(await button.isDisabled()).toBe(true)
    const path = "adk-story-flow/workflow.json"
    const text = readFileSync(join(place.folder, path), "utf8")
    const before = (await runs()).length
    const refused = await place.studio.ask("/runs", {
      method: "POST",
      body: { file: path, text, scripted: true },
    })
    expect(refused).toMatchObject({ status: 422, body: { code: "service_missing" } })
    expect((await runs()).length).toBe(before)

    let store = (): void => {}
    const stored = new Promise<void>((resolve) => (store = resolve))
    await page.route("**/api/module", async (route) => {
      await stored
      await route.continue()
    })
    const consent = page.getByRole("checkbox", { name: /^Use services\.mjs/ })
    await consent.check()
    // The selection stays visible while the page changes and the server has not stored it yet.
    await page.getByLabel("Use the responses of").first().click()
    await page.getByLabel("Use the responses of").first().click()
    expect(await consent.isChecked()).toBe(true)
    store()
    await missing.waitFor({ state: "detached" })
    await run()
    await statusIs("completed")
    await close()
  })

  test("problems are listed after the check, and a click on a problem selects its line", async () => {
    place.write("broken.json", {
      rootAgentId: "writer",
      agents: [llm("writer", { tools: ["nothing"] })],
    })
    const { page, close } = await place.open()
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.route("**/api/check", async (route) => {
      await answered
      await route.continue()
    })
    await page.locator('.files a[data-path="broken.json"]').click()
    await page.getByText("Checking…").waitFor()
    expect(await page.getByText("No problems.").count()).toBe(0)
    answer()
    const problem = page.locator(".problems li.is-error").first()
    await problem.waitFor()
    await problem.getByRole("button").click()
    const line = Number(/line (\d+)/.exec(await problem.innerText())?.[1])
    expect(line).toBeGreaterThan(1)
    await page.locator(".cm-activeLineGutter", { hasText: new RegExp(`^${line}$`) }).waitFor()
    await close()
  })
})
