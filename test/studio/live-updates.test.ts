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
      agents: [
        parallel("all", ["rounds", "boss"]),
        loop("rounds", ["worker"], 60),
        llm("worker"),
        human("boss"),
      ],
    })
    place.write("busy/scenario.json", {
      llm: { worker: [{ content: "done", delayMs: 50, repeat: true }] },
    })
    const { page, run, statusIs, close } = await place.open("/file/busy%2Fworkflow.json")
    await run()
    const form = page.getByRole("form", { name: "boss asks" })
    await form.waitFor()
    // The loop takes three seconds. Its events come without a pause.
    expect(await page.getByText("loop.finished").count()).toBe(0)
    await form.getByRole("textbox", { name: "Your answer" }).fill("yes")
    await form.getByRole("button", { name: "Send" }).click()
    await form.waitFor({ state: "detached" })
    expect(await page.getByText("loop.finished").count()).toBe(0)
    await statusIs("completed")
    await close()
  })
})
