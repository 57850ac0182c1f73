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
})
