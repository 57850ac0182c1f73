import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Page } from "playwright-core"
import { isBuilt } from "../cli/command.js"
import { noBrowser } from "../support/browser.js"
import type { StudioRun } from "../../src/studio/api.js"
import type { PromptedModel } from "../support/prompted-model.js"
import { promptedModel } from "../support/prompted-model.js"
import { sequence } from "../support/workflow.js"
import type { StudioFolder, StudioPage } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

const workflow = (harshness: string): object => ({
  rootAgentId: "press",
  initialUserInput: "A poem about tea.",
  agents: [
    sequence("press", ["poet", "critic"]),
    { id: "poet", type: "LlmAgent", model: "m", instructions: "Write.", outputKey: "poem" },
    {
      id: "critic",
      type: "LlmAgent",
      model: "m",
      instructions: `Judge ${harshness}.`,
      outputKey: "review",
    },
  ],
})

describe.skipIf(!isBuilt || noBrowser !== null)("time travel in the studio", () => {
  let model: PromptedModel
  let studio: StudioFolder
  let opened: StudioPage
  let page: Page

  beforeAll(async () => {
    model = await promptedModel((messages) => {
      const prompt = messages.map(({ content }) => content).join(" ")
      return prompt.includes("Judge")
        ? prompt.includes("kindly")
          ? "A lovely poem."
          : "A terrible poem."
        : "Tea is hot."
    })
    studio = await studioFolder(["--openai", model.baseUrl])
    studio.write("press.json", workflow("harshly"))
  })

  afterAll(async () => {
    await studio.stop()
    model.close()
  })

  beforeEach(async () => {
    opened = await studio.open("/file/press.json")
    page = opened.page
  })

  afterEach(() => opened.close())

  const run = async (): Promise<string> => {
    await opened.run()
    await opened.statusIs("completed")
    await page.getByText(/^2 of 2 records/).waitFor()
    return page.url()
  }
  const banner = () => page.getByRole("status", { name: "Position in the past" })

  test("the user can step by record and by event, and the URL contains the position", async () => {
    const url = await run()
    expect(await banner().count()).toBe(0)
    await page.getByRole("button", { name: "Events", exact: true }).click()
    const slider = page.getByRole("slider", { name: "Position in the events" })
    const all = Number(await slider.getAttribute("max"))
    await slider.focus()
    await page.keyboard.press("ArrowLeft")
    await banner()
      .getByText(`event ${all - 1} of ${all}`)
      .waitFor()
    expect(page.url()).toBe(`${url}?event=${all - 1}`)
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowRight")
    await page.getByText(`0 of 2 records, 1 of ${all} events`).waitFor()

    // A new tab with the same address shows the same position.
    await page.reload()
    await page.getByText(`0 of 2 records, 1 of ${all} events`).waitFor()
    await page.getByRole("button", { name: "Records", exact: true }).click()
    await page.getByRole("button", { name: "Next record" }).click()
    await page.getByText(/^1 of 2 records/).waitFor()
    expect(page.url()).toMatch(/\?record=1$/)
    await banner().getByRole("button", { name: "Return to the end" }).click()
    await banner().waitFor({ state: "detached" })
    expect(page.url()).toBe(url)
  })

  test("a run can be forked before a bad response with another prompt, and both runs are compared", async () => {
    await run()
    const before = model.calls
    await page.getByRole("button", { name: "Fork from here…" }).click()
    await page.getByRole("dialog").getByRole("note").getByText("Fork before this call").waitFor()
    await page.getByRole("button", { name: "Cancel" }).last().click()
    await page.locator(".event.of-models").filter({ hasText: "terrible" }).click()
    await page.getByRole("button", { name: "Fork before this call…" }).click()
    const dialog = page.getByRole("dialog", { name: "Fork after record 1 of 2" })
    await dialog.getByLabel("Instruction").and(page.locator(":focus")).waitFor()
    expect(await dialog.getByRole("note").count()).toBe(0)
    // The agent whose call comes next is selected.
    expect(await dialog.getByLabel("Agent").inputValue()).toBe("critic")
    expect(await dialog.getByLabel("Instruction").inputValue()).toBe("Judge harshly.")
    expect(await dialog.getByLabel("First message").inputValue()).toBe("A poem about tea.")
    expect(await dialog.getByLabel("First message").isDisabled()).toBe(true)
    expect(JSON.parse(await dialog.getByLabel("State, as a JSON object").inputValue())).toEqual({
      poem: "Tea is hot.",
    })
    await dialog.getByLabel("State, as a JSON object").fill("{")
    await dialog.getByRole("button", { name: "Fork and run" }).click()
    await dialog.getByRole("alert").getByText("The state must be valid JSON").waitFor()
    await dialog
      .getByLabel("State, as a JSON object")
      .fill('{"poem": "Tea is hot.", "mood": "good"}')
    await dialog.getByLabel("Instruction").fill("Judge kindly.")
    await dialog.getByRole("button", { name: "Fork and run" }).click()

    await page.getByText("The runs share the first 1 record.").waitFor()
    await page.getByRole("region", { name: "Result" }).getByText("lovely").waitFor()
    // Only the critic was called again.
    expect(model.calls).toBe(before + 1)
    const instruction = page.getByRole("region", { name: "Instruction of critic" })
    expect(await instruction.locator("del").innerText()).toBe("harshly.")
    expect(await instruction.locator("ins").innerText()).toBe("kindly.")
    expect(
      await page
        .getByRole("region", { name: "State" })
        .getByRole("heading", { level: 4 })
        .allInnerTexts(),
    ).toEqual(["mood", "review"])
    const steps = page.getByRole("region", { name: "Steps" }).locator("ol > li")
    // The poem is the same in both runs. The edit of the state and the review are not.
    expect(await steps.count()).toBe(3)
    // The list and the comparison show when the fork was made, and how long it took.
    const runs = await studio.studio.ask("/runs")
    const [latest, original] = runs.body as readonly StudioRun[]
    expect(latest?.startedAt).toBeGreaterThan(original?.startedAt ?? Number.POSITIVE_INFINITY)
    const durations = page.getByRole("row", { name: /^Duration/ }).getByRole("cell")
    for (const duration of (await durations.allInnerTexts()).slice(0, 2))
      expect(duration).toMatch(/^[\d.]+ m?s$/)
    await page.getByLabel("Only differences").check()
    expect(await steps.count()).toBe(2)
    await steps.filter({ hasText: "critic" }).getByRole("button").press("Enter")
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole("link", { name: "Show in run A" }).click()
    await banner().getByText("record 2 of 2").waitFor()
  })

  test("a fork from the start can have another first message", async () => {
    await run()
    await page.getByRole("slider", { name: "Position in the journal" }).focus()
    await page.keyboard.press("Home")
    await page.getByText(/^0 of 2 records/).waitFor()
    await page.getByRole("button", { name: "Fork from here…" }).click()
    await page.getByLabel("First message").fill("A poem about coffee.")
    await page.getByLabel("Compare with this run").uncheck()
    await page.getByRole("button", { name: "Fork and run" }).click()
    await page.getByText(/^forked from/).waitFor()
    await page.getByText("A poem about coffee.").first().waitFor()
  })

  test("a run with the changed file reuses the responses before the first difference", async () => {
    await run()
    const before = model.calls
    studio.write("press.json", workflow("kindly"))
    await page.getByRole("button", { name: "Run with the changed file" }).click()
    await page.getByRole("region", { name: "Result" }).getByText("lovely").waitFor()
    expect(model.calls).toBe(before + 1)
    studio.write("press.json", workflow("harshly"))
  })
})
