import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import { human, llm, loop, parallel } from "../support/workflow.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the updates of a run", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
  })
  afterAll(() => place.stop())

  test("a request appears while events of other agents keep arriving", async () => {
    place.write("busy/workflow.json", {
      rootAgentId: "all",
      initialUserInput: "go",
      maxModelCalls: 100_000,
      agents: [
        parallel("all", ["rounds", "boss"]),
        loop("rounds", ["worker"], 100_000),
        llm("worker"),
        human("boss"),
      ],
    })
    place.write("busy/scenario.json", {
      llm: { worker: [{ content: "done", delayMs: 20, repeat: true }] },
    })
    const { page, run, statusIs, close } = await place.open("/file/busy%2Fworkflow.json")
    await run()
    const form = page.getByRole("form", { name: "boss asks" })
    await form.waitFor()
    await page.emulateMedia({ reducedMotion: "no-preference" })
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: "reduce" })
    await form.getByRole("textbox", { name: "Your answer" }).fill("yes")
    await form.getByRole("button", { name: "Send" }).click()
    await form.waitFor({ state: "detached" })
    // A page of thousands of events is fast because it contains only the visible rows.
    const rows = page.getByRole("listbox", { name: "Events" }).getByRole("option")
    await expect
      .poll(async () => Number(await rows.last().getAttribute("aria-setsize")))
      .toBeGreaterThan(100)
    expect(await rows.count()).toBeLessThan(60)
    await page.getByRole("button", { name: "Cancel" }).click()
    await statusIs("cancelled")
    await close()
  })

  test("the lists of machines and events render only their visible rows, and the drawing is not animated", async () => {
    const workers = Array.from({ length: 40 }, (_, index) => `worker${index}`)
    place.write("wide/workflow.json", {
      rootAgentId: "all",
      initialUserInput: "go",
      agents: [
        parallel("all", [...workers, "boss"]),
        ...workers.map((id) => llm(id)),
        human("boss"),
      ],
    })
    place.write("wide/scenario.json", {
      llm: Object.fromEntries(workers.map((id) => [id, [{ content: "done", delayMs: 600_000 }]])),
    })
    const { page, run, statusIs, close } = await place.open("/file/wide%2Fworkflow.json")
    await run()
    await page.getByRole("form", { name: "boss asks" }).waitFor()
    await page.getByRole("tab", { name: "Machines" }).click()
    const machines = page.getByRole("list", { name: "Machines" }).getByRole("listitem")
    const events = page
      .getByRole("group", { name: "Events between machines" })
      .getByRole("listitem")
    for (const rows of [machines, events]) {
      await expect
        .poll(async () => Number(await rows.last().getAttribute("aria-setsize")))
        .toBeGreaterThan(40)
      expect(await rows.count()).toBeLessThan(40)
    }
    // The last machine is rendered when the user scrolls to it.
    await page.locator(".actors").evaluate((list) => (list.scrollTop = list.scrollHeight))
    await machines.filter({ hasText: "worker39" }).first().waitFor()
    await page.emulateMedia({ reducedMotion: "no-preference" })
    // The browser would paint the whole drawing for each frame of an animation.
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    await page.emulateMedia({ reducedMotion: "reduce" })
    await page.getByRole("button", { name: "Cancel" }).click()
    await statusIs("cancelled")
    await close()
  })
})
