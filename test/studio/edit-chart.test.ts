import { EventEmitter, once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

/** A workflow with the comments and the layout of a person. */
const desk = `# The night desk.
agent_class: SequentialAgent
name: desk
sub_agents:
  # Writes first.
  - agent_class: LlmAgent
    name: writer   # never renamed
    model:   gemini-2.5-flash
    instruction: "Write a report."

  - name: reviewer
    model: gemini-2.5-flash
    instruction: |-
      Review the report.
      Be kind.   # a part of the text
    tools: []
`

describe.skipIf(!isBuilt || noBrowser !== null)("a chart that is edited in the studio", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    for (const name of ["add", "drag", "form", "keys", "phone", "slow"])
      place.write(`${name}.yaml`, desk)
    place.write("wrap.yaml", desk.replaceAll("\n", "\r\n"))
  })
  afterAll(() => place.stop())

  const open = async (name: string, options?: Parameters<StudioFolder["open"]>[1]) => {
    const opened = await place.open(`/file/${name}.yaml`, options)
    const { page } = opened
    await page.locator('.drawing [data-state="writer"]').waitFor()
    await page.locator(".cm-content").waitFor()
    await page.locator(".chart-editor").waitFor()
    const press = (button: string): Promise<void> =>
      page.getByRole("button", { name: button, exact: true }).click()
    return {
      ...opened,
      press,
      select: (agent: string) => page.locator(`.drawing [data-state="${agent}"]`).click(),
      isSelected: (agent: string) =>
        page.locator(`.drawing .is-selected[data-state="${agent}"]`).waitFor(),
      isGone: (agent: string) =>
        page.locator(`.drawing [data-state="${agent}"]`).waitFor({ state: "detached" }),
      /** Saves the text and returns the content of the file. */
      async saved(): Promise<string> {
        await press("Save")
        await page.getByRole("button", { name: "Save" }).and(page.locator(":disabled")).waitFor()
        return readFileSync(join(place.folder, `${name}.yaml`), "utf8")
      },
    }
  }
  const focusedLabel = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null)

  test("a dragged agent moves to another place, Escape cancels a drag, and undo restores every byte", async () => {
    const { page, close, press, saved } = await open("drag")
    const text = readFileSync(join(place.folder, "drag.yaml"), "utf8")
    const box = async (agent: string): Promise<{ x: number; y: number; below: number }> => {
      const found = await page
        .locator(`.drawing [data-state="${agent}"] > .box`)
        .last()
        .boundingBox()
      if (found === null) throw new Error(`${agent} is not visible.`)
      const { x, y, width, height } = found
      return { x: x + width / 2, y: y + height / 2, below: y + height - 4 }
    }
    await press("Fit")
    const [writer, reviewer] = [await box("writer"), await box("reviewer")]
    const drag = async (): Promise<void> => {
      await page.mouse.move(writer.x, writer.y)
      await page.mouse.down()
      await page.mouse.move(writer.x + 10, writer.y + 10)
      await page.mouse.move(reviewer.x, reviewer.below, { steps: 3 })
      await page.locator(".drop-mark").waitFor()
    }
    await drag()
    await page.keyboard.press("Escape")
    await page.mouse.up()
    await page.locator(".drop-mark").waitFor({ state: "detached" })
    expect(await page.locator(".save-state").innerText()).toBe("Saved")
    await drag()
    await page.mouse.up()
    await page.getByText("writer is now after reviewer.").waitFor()
    const moved = await saved()
    // The form does the same without a mouse.
    await press("Undo")
    expect(await saved()).toBe(text)
    await page.locator(".drawing").focus()
    await page.keyboard.press("m")
    await page.getByRole("form", { name: "Move writer" }).waitFor()
    await page
      .getByRole("form", { name: "Move writer" })
      .getByRole("combobox")
      .selectOption("reviewer")
    await page.getByRole("button", { name: "Move", exact: true }).press("Enter")
    await page.getByText("writer is now after reviewer.").waitFor()
    expect(await saved()).toBe(moved)
    expect(moved.indexOf("name: reviewer")).toBeLessThan(moved.indexOf("name: writer   # never"))
    await press("Undo")
    expect(await saved()).toBe(text)
    await close()
  })

  test("nodes of a graph can be connected, added and removed on the chart, and undo restores every byte", async () => {
    const text =
      "agent_class: Workflow\nname: desk\nedges:\n  - [START, writer, reviewer]   # in order\nnodes:\n" +
      "  - { name: writer, model: m, instruction: Write. }\n  - { name: reviewer, model: m, instruction: Review. }\n"
    place.write("graph.yaml", text)
    const { page, close, press, select, isSelected, isGone, saved } = await open("graph")
    await select("reviewer")
    await press("Edges…")
    await page.getByRole("form", { name: "Edges of reviewer" }).waitFor()
    await page.getByRole("textbox", { name: "Route", exact: true }).fill("again")
    await page.getByRole("button", { name: "Connect", exact: true }).click()
    await page.getByText("reviewer is connected to writer.").waitFor()
    expect(await saved()).toContain("again")
    await page.locator(".drawing").focus()
    await page.keyboard.press("e")
    await page.getByRole("button", { name: "Disconnect reviewer from writer" }).press("Enter")
    await page.getByText("reviewer is no longer connected to writer.").waitFor()
    expect(await saved()).toBe(text)
    await press("Undo")
    expect(await saved()).toContain("again")
    await press("Undo")
    expect(await saved()).toBe(text)

    await select("writer")
    await press("Add…")
    await page.getByRole("textbox", { name: "Name" }).fill("critic")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await isSelected("critic")
    expect(await saved()).toContain("to: critic")
    await press("Remove")
    await isGone("critic")
    expect(await saved()).toBe(text)
    await close()
  })

  test("an added agent is written into the text with all comments, and undo restores every byte", async () => {
    const { page, close, press, select, isSelected, isGone, saved } = await open("add")
    await select("writer")
    await press("Add…")
    await page.getByRole("textbox", { name: "Name" }).fill("critic")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await isSelected("critic")
    await page.getByText("critic is added after writer.").waitFor()
    await page.locator(".edit-title small").waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Add…")
    // Only the new agent is added.
    const text = await saved()
    const end = desk.indexOf("  - name: reviewer")
    expect(text.startsWith(desk.slice(0, end))).toBe(true)
    expect(text.endsWith(desk.slice(end))).toBe(true)
    expect(text.slice(end, text.length - desk.length + end)).toContain("name: critic")
    await press("Undo")
    await isGone("critic")
    expect(await saved()).toBe(desk)
    await press("Redo")
    await page.locator('.drawing [data-state="critic"]').waitFor()
    expect(await saved()).toBe(text)
    await close()
  })

  test("two agents are wrapped in a ParallelAgent, and lines still end with CR LF", async () => {
    const { page, close, press, select, isSelected, isGone, saved } = await open("wrap")
    await select("writer")
    await press("Remove")
    await isGone("writer")
    await isSelected("reviewer")
    await press("Undo")
    await page.locator('.drawing [data-state="writer"]').waitFor()
    await select("writer")
    await press("Wrap…")
    await page.getByRole("radio", { name: "Parallel" }).check()
    await page.getByRole("checkbox", { name: "reviewer" }).check()
    await page.getByRole("textbox", { name: "Name" }).fill("desk")
    await press("Wrap")
    await page.locator(".edit-form").getByRole("alert").waitFor()
    await page.getByRole("textbox", { name: "Name" }).fill("both")
    await press("Wrap")
    await isSelected("both")
    const text = await saved()
    expect(text).toMatch(/agent_class: ParallelAgent\r\n/)
    expect(text).toContain("# Writes first.\r\n")
    expect(text.replaceAll("\r\n", "")).not.toContain("\n")
    await press("Undo")
    await isGone("both")
    expect(await saved()).toBe(desk.replaceAll("\n", "\r\n"))
    await close()
  })

  test("the form changes one field at a time, and each change is one step of the history", async () => {
    const { page, close, press, select, saved } = await open("form")
    await select("reviewer")
    await press("Edit fields")
    const panel = page.getByRole("region", { name: "Fields of reviewer" })
    const instruction = panel.getByRole("textbox", { name: /^instruction/ })
    expect(await instruction.inputValue()).toBe(
      "Review the report.\nBe kind.   # a part of the text",
    )
    await instruction.fill("Review it.\nTwice.")
    await instruction.press("ControlOrMeta+Enter")
    await page.locator(".cm-content").getByText("Twice.").waitFor()
    await panel.getByText("More fields").click()
    await panel.getByRole("searchbox", { name: "Find a field" }).fill("output_key")
    await panel.getByRole("textbox", { name: /^output_key/ }).fill("review")
    await panel.getByRole("textbox", { name: /^output_key/ }).press("Enter")
    await page.locator(".cm-content").getByText("output_key").waitFor()
    const schema = panel.getByRole("textbox", { name: /^generate_content_config/ })
    await panel.getByRole("searchbox", { name: "Find a field" }).fill("generate_content_config")
    await schema.fill("{")
    await schema.press("ControlOrMeta+Enter")
    await panel.getByText("generate_content_config must be valid JSON").waitFor()
    await schema.press("Escape")
    expect(await saved()).toBe(
      desk
        .replace("Review the report.", "Review it.")
        .replace("Be kind.   # a part of the text", "Twice.")
        .replace("    tools: []\n", "    tools: []\n    output_key: review\n"),
    )
    await press("Undo")
    await page.locator(".cm-content").getByText("output_key").waitFor({ state: "detached" })
    expect(await instruction.inputValue()).toBe("Review it.\nTwice.")
    await press("Undo")
    expect(await saved()).toBe(desk)
    await close()
  })

  test("every action has a key, and the focus returns to the drawing", async () => {
    const { page, close, isSelected, saved } = await open("keys", { colorScheme: "dark" })
    const { keyboard } = page
    await page.locator(".drawing").focus()
    await keyboard.press("?")
    await page.getByRole("region", { name: "Keyboard shortcuts" }).waitFor()
    await keyboard.press("n")
    await isSelected("desk")
    await keyboard.press("Delete")
    await page.getByText("desk is the root agent").waitFor()
    await keyboard.press("n")
    await isSelected("writer")
    await keyboard.press("b")
    await page.locator("input:focus").waitFor()
    await keyboard.type("planner")
    await keyboard.press("Enter")
    await isSelected("planner")
    expect(await focusedLabel(page)).toContain("Drawing of the statechart")
    await keyboard.press("Alt+ArrowDown")
    await page.getByText("planner is now after writer.").waitFor()
    await keyboard.press("F2")
    await page.locator("input:focus").waitFor()
    await keyboard.type("plan_b")
    await keyboard.press("Enter")
    await isSelected("plan_b")
    const text = await saved()
    expect(text.indexOf("name: plan_b")).toBeGreaterThan(text.indexOf("name: writer"))
    await page.locator(".drawing").focus()
    await keyboard.press("Enter")
    await page.getByRole("region", { name: "Fields of plan_b" }).waitFor()
    await keyboard.press("Escape")
    expect(await focusedLabel(page)).toContain("Drawing of the statechart")
    for (const _ of ["rename", "move", "add"]) await keyboard.press("ControlOrMeta+z")
    await page.locator('.drawing [data-state="plan_b"]').waitFor({ state: "detached" })
    expect(await saved()).toBe(desk)
    await close()
  })

  test("while the server is slow, no selection, action or save of the user is lost", async () => {
    const { page, close, press, select, isSelected } = await open("slow")
    /** Delays the next request to these paths until the returned function is called. */
    const hold = async (paths: RegExp): Promise<() => void> => {
      const released = new EventEmitter()
      const isReleased = once(released, "release")
      await page.route(paths, (route) => isReleased.then(() => route.continue()), { times: 1 })
      return () => void released.emit("release")
    }
    const checks = /\/api\/check$/
    await select("writer")
    let release = await hold(checks)
    await press("Later")
    await page.getByText("writer is now after reviewer.").waitFor()
    // The agents in the new text are not known yet.
    await page.locator(".drawing").press("Alt+ArrowUp")
    await page.locator(".edit-actions[aria-busy=true]").waitFor()
    release()
    await page.getByText("writer is now before reviewer.").waitFor()
    await page.getByText("Saved", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Later", disabled: false }).waitFor()

    release = await hold(checks)
    await press("Later")
    await page.getByText("writer is now after reviewer.").waitFor()
    await select("reviewer")
    const agents = page.waitForResponse(/\/api\/edit\/agents$/)
    release()
    await agents
    await isSelected("reviewer")

    // The drawing is replaced while the mouse button is pressed.
    release = await hold(checks)
    await press("Undo")
    const drawn = await page.locator(".drawing svg").elementHandle()
    await page.locator('.drawing [data-state="writer"] > .box').last().hover()
    await page.mouse.down()
    release()
    await expect.poll(() => drawn?.evaluate(({ isConnected }) => isConnected)).toBe(false)
    await page.mouse.up()
    await isSelected("writer")

    await press("Redo")
    await page.locator(".drawing").focus()
    // Each save waits for the previous save.
    release = await hold(/\/api\/file$/)
    let writes = 0
    page.on("response", (response) => {
      if (response.request().method() === "PUT") writes++
    })
    for (const step of ["s", "z", "s"]) await page.keyboard.press(`ControlOrMeta+${step}`)
    release()
    await expect.poll(() => writes).toBe(2)
    expect(readFileSync(join(place.folder, "slow.yaml"), "utf8")).toBe(desk)
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await page.locator(".conflict").count()).toBe(0)
    await close()
  })

  test("on a phone, the form with the fields leaves room for the chart", async () => {
    const { page, close, press, select } = await open("phone", { width: 390, height: 844 })
    await select("writer")
    await press("Edit fields")
    await page.getByText("More fields").click()
    const selected = page.locator('.drawing [data-state="writer"] > .box').last()
    const panel = await page.locator(".agent-panel").boundingBox()
    const box = await selected.boundingBox()
    expect(box).not.toBeNull()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(panel?.y ?? 0)
    await page.locator('.drawing [data-state="writer"]').click({ button: "right" })
    await page.getByRole("menu", { name: "writer" }).waitFor()
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrolled).toBeLessThanOrEqual(390)
    await close()
  })
})
