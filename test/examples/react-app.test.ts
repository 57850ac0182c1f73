import axe from "axe-core"
import { describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { TestServer } from "../server/test-server.js"
import { examplesServed } from "../server/test-server.js"
import { noBrowser, openPage } from "../support/browser.js"
import { builtPage } from "./vite-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the example react-app", () => {
  let server: TestServer
  examplesServed((started) => (server = started))

  const previewPage = builtPage("react-app")
  const preview = (): Promise<string> =>
    previewPage({ AGENT_SERVER_URL: server.origin, AGENT_SERVER_TOKEN: server.token })

  test("starts a run, highlights the waiting agent, and shows the result after the answers", async (context) => {
    const { page, problems } = await openPage(context, await preview())
    await page.getByLabel("Workflow").selectOption("human-approval")
    await page.getByRole("button", { name: "Start" }).click()
    await page.getByText("Pay 1,940 EUR").waitFor()
    const waiting = page.locator("run-chart .is-waiting")
    await waiting.waitFor()
    expect(await page.getByLabel("Workflow").inputValue()).toBe("human-approval")
    const [chart, drawing] = await Promise.all([
      page.locator("run-chart").boundingBox(),
      page.locator("run-chart svg").boundingBox(),
    ])
    expect(drawing?.height).toBeGreaterThan(100)
    expect(drawing?.height).toBeLessThanOrEqual(chart?.height ?? 0)
    expect(await waiting.getAttribute("data-agents")).toBe("payments_agent")
    await expect
      .poll(() => page.locator("run-chart [role=status]").innerText())
      .toBe("Waiting for an answer: payments_agent.")
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate("axe.run()")) as {
      readonly violations: readonly { readonly id: string }[]
    }
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Pay 2,760 EUR").waitFor()
    await page.getByRole("button", { name: "Reject" }).click()
    await page.locator("output", { hasText: "completed" }).waitFor()
    await page.getByLabel("Messages").getByText("Not paid: INV-2304").first().waitFor()
    await page.locator("run-chart .is-finished").waitFor()
    expect(await page.locator("run-chart .is-active, run-chart .is-waiting").count()).toBe(0)
    expect(problems).toEqual([])
  })

  test("shows the state of a question, and answers it with a choice", async (context) => {
    const { page, problems } = await openPage(context, await preview())
    await page.getByLabel("Workflow").selectOption("adk-yaml-team")
    await page.getByRole("button", { name: "Start" }).click()
    const request = page.getByLabel("Request of editor")
    await request.getByText("Where shall this go?").waitFor()
    await request.getByText("known_facts: Line 7 opens on 3 May.").waitFor()
    await request.getByRole("button", { name: "page one" }).click()
    await page.locator("output", { hasText: "completed" }).waitFor()
    await request.waitFor({ state: "detached" })
    expect(problems).toEqual([])
  })

  test("shows the error of the server", async (context) => {
    const { page } = await openPage(context, await preview())
    await page.route("**/v1/runs", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/json",
        body: JSON.stringify({ code: "too_many_runs", message: "the server has too many runs" }),
      }),
    )
    await page.locator("option", { hasText: "travel-planner" }).waitFor({ state: "attached" })
    await page.getByRole("button", { name: "Start" }).click()
    await page.getByRole("alert").filter({ hasText: "too many runs" }).waitFor()
  })
})
