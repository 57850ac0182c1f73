import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { isBuilt } from "../../cli/command.js"
import { noBrowser, sharedBrowser } from "../../support/browser.js"
import type { StudioFolder } from "../studio-page.js"
import { studioFolder } from "../studio-page.js"
import { axeViolations } from "./axe-violations.js"
import { layoutProblems } from "./layout-problems.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the studio on a phone", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    for (const name of ["human-approval", "travel-planner"]) place.addExample(name)
    place.write("broken.json", {
      rootAgentId: "writer",
      initialUserInput: "Hello.",
      agents: [
        {
          id: "writer",
          type: "LlmAgent",
          instructions: "Write a poem.",
          httpConfig: { url: "https://agents.example.com/writer", method: "POST" },
        },
      ],
    })
    place.write("broken.scenario.json", { llm: { writer: [{ httpStatus: 503 }] } })
  })
  afterAll(() => place.stop())

  test("a user can approve, read, fork and compare runs, and add an agent, by touch", async () => {
    const browser = await sharedBrowser()
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: "reduce",
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(200_000)
    const check = async (view: string): Promise<void> => {
      expect.soft(await page.evaluate(layoutProblems), view).toEqual([])
    }
    const tap = (name: string): Promise<void> =>
      page.getByRole("button", { name, exact: true }).tap()
    const openFile = async (path: string): Promise<void> => {
      await tap("List")
      await page.locator(`.files a[data-path="${path}"]`).tap()
      await page.locator(".chart-editor").waitFor()
      await page.locator(".cm-content").waitFor()
    }
    const statusIs = (status: string): Promise<void> =>
      page.locator(`.run-bar .status.is-${status}`).waitFor()

    await page.goto(place.studio.url)
    await page.locator(".workflow-cards a").first().waitFor()
    await check("start page")
    await tap("List")
    await check("list")
    await tap("List")
    await openFile("human-approval/workflow.json")
    await check("file")
    await tap("Run")
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor()
    await check("approval")
    await page
      .getByLabel("Arguments of pay_invoice")
      .fill('{ "invoice": "INV-2291", "amount": 1840, "iban": "DE02 1203 0000 0000 2020 51" }')
    await tap("Approve")
    await page.locator(".request", { hasText: "2,760" }).waitFor()
    await tap("Reject")
    await statusIs("completed")
    await page.getByRole("group", { name: "Final answer" }).getByText("1,840").waitFor()
    await check("answer")
    await tap("Show details")
    await page.getByRole("tab", { name: "Timeline" }).tap()
    await page.locator(".call-bar").first().waitFor()
    await check("timeline")
    for (const tab of ["Events", "State", "Agents", "Machines"]) {
      await page.getByRole("tab", { name: tab }).tap()
      await page.locator("[role=tabpanel]:not([hidden]) > *").first().waitFor()
      await check(tab)
    }
    await page.getByRole("tab", { name: "Events" }).tap()
    await page.locator(".event.of-models").first().tap()
    await page.locator(".entry-details").waitFor()
    await check("event")
    await tap("Before the call")
    await page.locator(".past-banner").waitFor()
    // The drawer would cover the chart.
    await page.locator(".drawer.is-open").waitFor({ state: "detached" })
    await check("past")
    await tap("Fork from here…")
    await page.locator("dialog textarea:focus").waitFor()
    await check("fork")
    await page.getByLabel("Instruction").fill("Pay only what the contract allows.")
    await tap("Fork and run")
    await page.getByRole("region", { name: "Instruction of payments_agent" }).waitFor()
    await check("comparison")
    await page.locator(".compare-steps button").first().tap()
    await check("step")

    await openFile("broken.json")
    await tap("Run")
    await tap("Show the failed call")
    await page.locator(".drawer.is-open .entry-details").getByText("503").first().waitFor()
    await check("failed call")
    await tap("Hide details")
    await page.locator('[data-state="writer"] > .box').tap()
    await tap("Show details of writer")
    await page.locator(".drawer").getByText("Write a poem.").waitFor()
    await check("conversation")

    await openFile("travel-planner/workflow.json")
    const agent = page.locator('.drawing [data-state="trip_writer"] > .box').last()
    await agent.scrollIntoViewIfNeeded()
    await agent.tap()
    await page.locator('.drawing .is-selected[data-state="trip_writer"]').waitFor()
    await check("agent")
    await tap("Add…")
    await page.getByRole("textbox", { name: "Name" }).fill("critic")
    await check("new agent")
    await page.getByRole("button", { name: "Add", exact: true }).tap()
    await page.locator('.drawing .is-selected[data-state="critic"]').waitFor()
    await tap("Edit fields")
    await page.locator(".agent-panel .agent-field").first().waitFor()
    await check("fields")
    expect(await axeViolations(page)).toEqual([])
  })
})
