import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ActorDetails, MachineChanges } from "../../src/studio/machines-api.js"
import { isBuilt } from "../cli/command.js"
import { noBrowser } from "../support/browser.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("machines in the studio", () => {
  let studio: StudioFolder

  beforeAll(async () => {
    studio = await studioFolder()
    studio.addExample("human-approval")
  })

  afterAll(() => studio.stop())

  test("the panel shows the machines of a run with their agents, events and snapshots", async () => {
    const opened = await studio.open("/file/human-approval%2Fworkflow.json")
    const { page } = opened
    await opened.run()
    await opened.statusIs("waiting")
    await page.getByRole("tab", { name: "Machines" }).click()
    const machines = page.getByRole("list", { name: "Machines" }).getByRole("button")
    await machines.filter({ hasText: "waitingForHuman" }).waitFor()
    expect(await machines.count()).toBe(2)
    const events = page.getByRole("group", { name: "Events between machines" })
    await events.getByText("people to payments_agent: start").waitFor({ state: "attached" })
    await events.getByText("payments_agent to tools: open_invoices").waitFor({ state: "attached" })

    await machines.filter({ hasText: "waitingForHuman" }).press("Enter")
    const details = page.getByRole("region", { name: /^Machine payments_agent/ })
    await details.getByText("xstate.done.actor.model").first().waitFor()
    expect(await details.locator("pre").first().innerText()).toContain('"status": "active"')

    // The panel shows the position to which the user travels.
    await page.getByRole("slider", { name: "Position in the journal" }).focus()
    await page.keyboard.press("Home")
    await machines.filter({ hasText: "callingModel" }).waitFor()
    await details.getByText("model payments_agent").waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await opened.close()
  })

  test("a call is listed between the event that causes it and its result", async () => {
    const file = "human-approval/workflow.json"
    const { body: source } = await studio.studio.ask(`/file?path=${encodeURIComponent(file)}`)
    const { text } = source as { readonly text: string }
    const { body } = await studio.studio.ask("/runs", {
      method: "POST",
      body: { file, text, scripted: true },
    })
    const { runId } = body as { readonly runId: string }
    const at = async <Json>(query: string): Promise<Json> =>
      (await studio.studio.ask(`/runs/${runId}/machines?${query}`)).body as Json
    await expect
      .poll(async () => (await at<MachineChanges>("")).actors.map(({ states }) => states))
      .toContainEqual(["waitingForHuman"])
    const { actors, messages, count } = await at<MachineChanges>("at=2")
    expect(count).toBe(messages.length)
    const names = new Map(actors.map(({ id, name }) => [id, name]))
    const name = (id: string): string => names.get(id) ?? id
    expect(messages.map(({ from, to, type }) => `${name(from)} > ${name(to)} ${type}`)).toEqual([
      "people > payments_agent start",
      "payments_agent > payments_agent (llmAgent) start",
      "payments_agent (llmAgent) > models model",
      "models > payments_agent (llmAgent) result",
      "payments_agent (llmAgent) > tools open_invoices",
      "tools > payments_agent (llmAgent) result",
      "payments_agent (llmAgent) > models model",
    ])
    const [, agent] = actors
    expect(agent).toMatchObject({ received: 3, inFlight: 1, states: ["callingModel"] })
    const details = await at<ActorDetails>(`at=2&actor=${agent?.id}`)
    expect(details.waitsFor).toEqual(["model payments_agent"])
    expect(details.events).toHaveLength(3)
    expect((await studio.studio.ask(`/runs/${runId}/machines?actor=none`)).status).toBe(404)
  })
})
