import { readFileSync, statSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { HistoryRun, RunWithChart } from "../../src/studio/api.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the runs of a workflow", () => {
  let place: StudioFolder
  const path = "adk-capital-schema/workflow.json"
  const hash = `/file/${encodeURIComponent(path)}`

  beforeAll(async () => {
    place = await studioFolder()
    place.addExample("adk-capital-schema")
  })
  afterAll(() => place.stop())

  const history = async (): Promise<readonly HistoryRun[]> =>
    (await place.studio.ask(`/history?file=${encodeURIComponent(path)}&chart=capital_facts_agent`))
      .body as readonly HistoryRun[]
  const stored = async (runId: string): Promise<StoredRun> =>
    (await place.studio.ask(`/runs/${runId}/stored`)).body as StoredRun

  test("a run can be started with a form and changed settings, repeated, downloaded and deleted", async () => {
    const { page, run, statusIs, close } = await place.open(hash)
    await page.getByLabel("country").fill("Peru")
    await page.getByText("Change agents for this run").click()
    await page.getByLabel("Temperature").fill("0.3")
    await page.getByLabel("Instruction").fill("Answer in one word.")
    await run()
    await statusIs("completed")
    const [first] = await history()
    const runId = first?.runId ?? ""
    expect(first).toMatchObject({ status: "completed", tokens: null, cost: null })
    const { header } = await stored(runId)
    expect(header.input.prompt).toBe('{"country":"Peru"}')
    expect(header.chart.agents["capital_facts_agent"]).toMatchObject({
      adk: { instruction: "Answer in one word.", generateContentConfig: { temperature: 0.3 } },
    })

    await page.goBack()
    await page.getByText(/^History/).click()
    const row = page.getByRole("row", { name: /completed/ })
    await row.getByText("unknown").waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      row.getByRole("button", { name: "Download" }).click(),
    ])
    expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toEqual(await stored(runId))

    await row.getByRole("button", { name: "Rerun" }).click()
    await page.locator(".run-view").waitFor()
    await statusIs("completed")
    const [second] = await history()
    expect(second?.runId).not.toBe(runId)
    const again = await stored(second?.runId ?? "")
    expect(again.header.chart).toEqual(header.chart)
    expect(again.header.input).toEqual(header.input)

    await page.goBack()
    await page.getByText(/^History/).click()
    const last = page.getByRole("row", { name: /completed/ }).last()
    await last.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Confirm" }).click()
    await expect
      .poll(async () => (await history()).map((one) => one.runId))
      .toEqual([second?.runId])
    expect(await place.studio.ask(`/runs/${runId}`)).toMatchObject({ status: 404 })
    await close()
  })

  test("settings for an unknown agent are rejected, and no run is stored", async () => {
    const before = (await history()).length
    const { file, text } = { file: path, text: readFileSync(`${place.folder}/${path}`, "utf8") }
    const refused = await place.studio.ask("/runs", {
      method: "POST",
      body: { file, text, scripted: true, overrides: { nobody: { model: "m" } } },
    })
    expect(refused).toMatchObject({ status: 400, body: { code: "input_refused" } })
    expect((await history()).length).toBe(before)
  })

  test("a link works in a new tab and after a restart, and contains no token", async () => {
    const { page, close } = await place.open(hash)
    await page.locator(".file-view").waitFor()
    const link = page.url()
    const urls: string[] = []
    const tab = await page.context().newPage()
    tab.on("request", (request) => urls.push(request.url()))
    await tab.goto(link)
    await tab.getByRole("button", { name: "Run", exact: true }).click()
    await tab.locator(".run-view").waitFor()
    await tab.locator(".run-view strong", { hasText: /^completed$/ }).waitFor()
    expect(urls.filter((url) => url.includes(place.studio.token))).toEqual([])

    await place.restart()
    expect(statSync(place.addressFile).mode & 0o077).toBe(0)
    await tab.reload()
    await tab.locator(".run-view").waitFor()
    const { body } = await place.studio.ask("/runs")
    expect((body as readonly RunWithChart[]).length).toBeGreaterThan(0)
    await close()
  })
})
