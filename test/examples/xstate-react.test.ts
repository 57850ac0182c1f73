import axe from "axe-core"
import { describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { noBrowser, openPage } from "../support/browser.js"
import { builtPage } from "./vite-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the example xstate-react", () => {
  const preview = builtPage("xstate-react")

  test("a page runs agents in its own machine, and continues the run after a reload", async (context) => {
    const { page, problems } = await openPage(context, await preview())
    await page.getByLabel("Wish").fill("A weekend by train")
    await page.getByRole("button", { name: "Plan" }).click()
    await page.getByLabel("Question").getByText("Shall I book it?").waitFor()
    expect(await page.getByLabel("Step").innerText()).toBe("waiting for you")
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate("axe.run()")) as {
      readonly violations: readonly { readonly id: string }[]
    }
    expect(violations.map(({ id }) => id)).toEqual([])

    await page.reload()
    await page.getByLabel("Question").getByText("Shall I book it?").waitFor()
    expect(await page.getByRole("heading", { level: 2 }).innerText()).toBe("0 model calls")
    await page.getByRole("button", { name: "Yes" }).click()
    await page.locator("output", { hasText: "completed: Booked." }).waitFor()
    expect(await page.getByRole("heading", { level: 2 }).innerText()).toBe("1 model calls")
    await page.getByLabel("Activity").getByText("agent.finished trip").waitFor()
    expect(await page.getByLabel("Question").count()).toBe(0)

    await page.getByRole("button", { name: "Plan" }).click()
    await page.getByLabel("Question").waitFor()
    await page.getByRole("button", { name: "Stop" }).click()
    await page.locator("output", { hasText: "cancelled" }).waitFor()
    expect(problems).toEqual([])
  })
})
