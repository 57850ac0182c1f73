import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/built-command.js"
import { lendPage, noBrowser, returnPage } from "../support/browser.js"
import { llm, parallel, sequence } from "../support/workflow.js"
import { geometryProblems } from "./measure-drawing.js"
import type { TestStudio } from "./test-studio.js"
import { startTestStudio } from "./test-studio.js"

const groups = Array.from({ length: 30 }, (_, group) =>
  Array.from({ length: 10 }, (__, index) => `a${group}_${index}`),
)
const branches = Array.from({ length: 200 }, (_, index) => `branch${index}`)

/** A workflow of 300 agents in groups, a workflow of 200 branches, and a small workflow. */
const workflows: Readonly<Record<string, readonly object[]>> = {
  "groups.json": [
    sequence(
      "all",
      groups.map((_, group) => `g${group}`),
    ),
    ...groups.map((ids, group) => sequence(`g${group}`, ids)),
    ...groups.flat().map((id) => llm(id)),
  ],
  "branches.json": [parallel("all", branches), ...branches.map((id) => llm(id))],
  "small.json": [sequence("all", ["first", "second"]), llm("first"), llm("second")],
}

describe.skipIf(!isBuilt || noBrowser !== null)("the canvas of a chart in a browser", () => {
  let place: string
  let studio: TestStudio
  let page: Page

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "studio-canvas-"))
    mkdirSync(join(place, "work"))
    for (const [name, agents] of Object.entries(workflows))
      writeFileSync(
        join(place, "work", name),
        JSON.stringify({ rootAgentId: "all", agents, initialUserInput: "go" }, null, 1),
      )
    studio = await startTestStudio(join(place, "work"), join(place, "runs"))
  })

  afterAll(async () => {
    await studio.stop()
    rmSync(place, { recursive: true })
  })

  afterEach(() => returnPage(page))

  const open = async (file: string, options: { readonly width?: number } = {}): Promise<void> => {
    page = await lendPage({ ...options, height: 844 })
    const { origin, token } = studio
    await page.goto(`${origin}/?token=${token}#/file/${file}`)
    await page.locator(".drawing svg").waitFor()
    // The page first shows the drawing at its own size, and then fits it to the canvas.
    await page
      .locator('.drawing svg[style*="translate"]:not([style*="translate(0px, 0px)"])')
      .waitFor()
  }
  const state = (id: string): Locator => page.locator(`.drawing [data-state="${id}"] > .box`).last()
  const centerOf = async (target: Locator): Promise<{ x: number; y: number }> => {
    const box = await target.boundingBox()
    if (box === null) throw new Error("the element has no box")
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  /** Returns the center of an element after it has stopped moving. The drawing moves when panels around it open. */
  const restingCenterOf = async (target: Locator): Promise<{ x: number; y: number }> => {
    let center = await centerOf(target)
    const hasMoved = async (): Promise<boolean> => {
      const earlier = center
      center = await centerOf(target)
      return earlier.x !== center.x || earlier.y !== center.y
    }
    await expect.poll(hasMoved, { interval: 100 }).toBe(false)
    return center
  }
  const isCentered = async (id: string): Promise<boolean> => {
    const [canvas, at] = [await centerOf(page.locator(".drawing")), await centerOf(state(id))]
    return Math.hypot(at.x - canvas.x, at.y - canvas.y) < 3
  }
  const zoomText = (): Promise<string> =>
    page.getByRole("button", { name: "Actual size" }).innerText()

  test("the wheel zooms around the pointer, and a drag on empty space moves the drawing", async () => {
    await open("small.json")
    const before = await restingCenterOf(state("second"))
    const zoomed = await zoomText()
    await page.mouse.move(before.x, before.y)
    await page.mouse.wheel(0, -300)
    await expect.poll(zoomText).not.toBe(zoomed)
    const after = await centerOf(state("second"))
    expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(2)
    // A drag that begins at a state moves the agent.
    const canvas = await page.locator(".drawing").boundingBox()
    if (canvas === null) throw new Error("the canvas has no box")
    const from = { x: canvas.x + 12, y: canvas.y + canvas.height / 2 }
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y + 25, { steps: 4 })
    await page.mouse.up()
    const moved = async (): Promise<object> => {
      const { x, y } = await centerOf(state("second"))
      return { x: Math.round(x - after.x), y: Math.round(y - after.y) }
    }
    await expect.poll(moved).toEqual({ x: 40, y: 25 })
  })

  test("the keyboard moves, scales and fits the drawing", async () => {
    await open("small.json")
    const start = await centerOf(state("first"))
    await page.locator(".drawing").focus()
    await page.keyboard.press("ArrowRight")
    await expect.poll(async () => (await centerOf(state("first"))).x).toBeLessThan(start.x - 30)
    const zoomed = await zoomText()
    await page.keyboard.press("-")
    await expect.poll(zoomText).not.toBe(zoomed)
    await page.keyboard.press("0")
    await expect
      .poll(async () => Math.abs((await centerOf(state("first"))).x - start.x))
      .toBeLessThan(2)
  })

  test("two fingers scale the drawing on a phone, and nothing is wider than the screen", async () => {
    await open("small.json", { width: 390 })
    const canvas = page.locator(".drawing")
    await canvas.scrollIntoViewIfNeeded()
    const { x, y } = await centerOf(canvas)
    const zoomed = await zoomText()
    const session = await page.context().newCDPSession(page)
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true })
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      spread: number,
    ): Promise<unknown> =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [
                { x: x - spread, y, id: 1 },
                { x: x + spread, y, id: 2 },
              ],
      })
    await touch("touchStart", 30)
    for (const spread of [40, 55, 70]) await touch("touchMove", spread)
    await touch("touchEnd", 0)
    await session.detach()
    await expect.poll(zoomText).not.toBe(zoomed)
    expect(parseFloat(await zoomText())).toBeGreaterThan(parseFloat(zoomed))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  test.each([
    ["groups.json", "a17_4"],
    ["branches.json", "branch150"],
  ])("in %s, the search finds, opens and centers %s with two actions", async (file, agent) => {
    await open(file)
    expect(await state(agent).count()).toBe(0)
    await page.getByRole("combobox", { name: "Find a state" }).fill(agent)
    await page.keyboard.press("Enter")
    await page.locator(`[data-state="${agent}"].is-found`).waitFor()
    await expect.poll(() => isCentered(agent)).toBe(true)
    // The title is at least nine pixels high.
    const title = await page.locator(`[data-state="${agent}"] > .title`).boundingBox()
    expect(title?.height).toBeGreaterThan(9)
    await page.getByRole("button", { name: "Fold" }).click()
    await expect.poll(() => state(agent).count()).toBe(0)
  })

  test("a click opens a folded state, and the minimap moves the drawing", async () => {
    await open("groups.json")
    await page.getByRole("button", { name: "Fit" }).click()
    const stack = page.locator('.drawing [data-folded="true"]', { hasText: "more" })
    expect(await state("g20").count()).toBe(0)
    // A click on the box alone would fail if its text covers the point.
    await stack.last().click()
    await state("g20").waitFor()
    await page.locator('[data-state="g9"].is-found').waitFor()
    // The state is marked before the view moves. The minimap is shown once the drawing is larger than the canvas.
    await expect.poll(() => isCentered("g9")).toBe(true)
    const before = await centerOf(state("g20"))
    await page.locator(".minimap").click({ position: { x: 4, y: 4 } })
    await expect
      .poll(async () => Math.abs((await centerOf(state("g20"))).x - before.x))
      .toBeGreaterThan(50)
  })

  test("a click on a state shows its text, and a click in the text shows its state", async () => {
    await open("small.json")
    await page.locator(".cm-content").waitFor()
    await page.locator('.drawing [data-state="second"]').click()
    const line = page.locator(".cm-activeLine")
    await expect.poll(async () => (await line.allInnerTexts()).join(" ")).toContain("{")
    await expect
      .poll(() =>
        page.locator(".cm-line").evaluateAll((lines) => {
          const at = lines.findIndex((each) => each.classList.contains("cm-activeLine"))
          return lines
            .slice(at, at + 3)
            .map(({ textContent }) => textContent)
            .join(" ")
        }),
      )
      .toContain('"second"')
    await page.locator(".cm-line", { hasText: '"id": "first"' }).click()
    await page.locator('[data-state="first"].is-selected').waitFor()
  })

  test("the direction and the detail level are remembered, and no text is cut", async () => {
    await open("small.json")
    await page.getByRole("button", { name: "Left to right" }).click()
    const isBeside = async (): Promise<boolean> => {
      const [first, second] = [await centerOf(state("first")), await centerOf(state("second"))]
      return second.x > first.x + 50 && Math.abs(second.y - first.y) < 2
    }
    await expect.poll(isBeside).toBe(true)
    await page.getByRole("combobox", { name: "Detail" }).selectOption("Full statechart")
    await page.locator(".drawing text", { hasText: "invoke llmAgent" }).first().waitFor()
    expect((await page.evaluate(geometryProblems)).problems).toEqual([])
    await page.reload()
    await page.locator(".drawing text", { hasText: "invoke llmAgent" }).first().waitFor()
    expect(await isBeside()).toBe(true)
  })
})
