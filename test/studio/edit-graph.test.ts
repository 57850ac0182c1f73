import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

/** A graph with the comments and the layout of a person. */
const orders = `# Orders.
nodes:
  # Reads the order.
  - id: load   # first
    type: http
    http: { method: GET, url: "https://a.example/load" }
  - id: pay
    type: http
    dependencies: [load]   # the order
    http: { method: POST, url: "https://a.example/pay" }
  - id: ship
    type: http
    dependencies:
      # After the payment.
      - pay
    http: { method: POST, url: "https://a.example/ship" }
`

describe.skipIf(!isBuilt || noBrowser !== null)("a Graph Compose graph in the studio", () => {
  let place: StudioFolder

  beforeAll(async () => {
    place = await studioFolder()
    place.write("orders.yaml", orders)
    place.write("orders.json", {
      nodes: [
        { id: "load", type: "http", http: { method: "GET", url: "https://a.example/load" } },
        { id: "ask", type: "confirmation", dependencies: ["load"] },
      ],
    })
  })
  afterAll(() => place.stop())

  const open = async (name: string) => {
    const opened = await place.open(`/file/${name}`)
    const { page } = opened
    await page.locator('.drawing [data-state="load"]').waitFor()
    await page.locator(".cm-content").waitFor()
    await page.locator(".chart-editor").waitFor()
    const press = (button: string): Promise<void> =>
      page.getByRole("button", { name: button, exact: true }).click()
    return {
      ...opened,
      press,
      async select(node: string): Promise<void> {
        await page.locator(`.drawing [data-state="${node}"]`).click()
        await page.locator(`.drawing .is-selected[data-state="${node}"]`).waitFor()
      },
      /** Saves the text and returns the content of the file. */
      async saved(): Promise<string> {
        await press("Save")
        await page.getByRole("button", { name: "Save" }).and(page.locator(":disabled")).waitFor()
        return readFileSync(join(place.folder, name), "utf8")
      },
    }
  }

  test("edges and their conditions are changed on the chart, and undo restores every byte", async () => {
    const { page, close, press, select, saved } = await open("orders.yaml")
    const drawnEdge = page.locator('.drawing [data-from="load"][data-to="ship"]')
    await select("load")
    await press("Edges…")
    const form = page.getByRole("form", { name: "Edges of load" })
    await form.getByRole("combobox", { name: "Node" }).selectOption("ship")
    await form
      .getByRole("textbox", { name: "Condition", exact: true })
      .fill("{{ data.paid = true }}")
    await form.getByRole("button", { name: "Connect", exact: true }).click()
    await page.getByText("load is connected to ship.").waitFor()
    await drawnEdge.first().waitFor({ state: "attached" })
    const connected = await saved()
    expect(connected).toContain("- load\n")
    expect(connected).toContain("{{ data.paid = true }}")
    expect(connected.match(/#.*/g)).toEqual(orders.match(/#.*/g))

    await page.locator(".drawing").focus()
    await page.keyboard.press("e")
    const condition = form.getByRole("textbox", { name: "Condition from load to ship" })
    await condition.fill("{{ data.free = true }}")
    await press("Change the condition from load to ship")
    await page.getByText("The condition from load to ship is changed.").waitFor()
    expect(await saved()).toBe(connected.replace("data.paid", "data.free"))

    await press("Edges…")
    await press("Disconnect load from ship")
    await page.getByText("load is no longer connected to ship.").waitFor()
    await drawnEdge.first().waitFor({ state: "detached" })
    expect(await saved()).toBe(orders)

    await press("Undo")
    await press("Undo")
    expect(await saved()).toBe(connected)
    await press("Undo")
    expect(await saved()).toBe(orders)
    await close()
  })

  test("a rejected edge shows the reason, and the text does not change", async () => {
    const { page, close, press, select } = await open("orders.json")
    await select("ask")
    await press("Edges…")
    const form = page.getByRole("form", { name: "Edges of ask" })
    await form.getByRole("combobox", { name: "Node" }).selectOption("load")
    await form
      .getByRole("textbox", { name: "Condition", exact: true })
      .fill("{{ data.paid = true }}")
    await form.getByRole("button", { name: "Connect", exact: true }).click()
    await form.getByText('"ask" is not an http node').waitFor()
    expect(await page.locator(".save-state").innerText()).toBe("Saved")
    await close()
  })

  test("nodes are added, edited and removed on the chart, and undo restores every byte", async () => {
    const { page, close, press, select, saved } = await open("orders.json")
    const text = readFileSync(join(place.folder, "orders.json"), "utf8")
    const added = page.locator('.drawing [data-state="check"]')
    await select("load")
    await press("Add…")
    const form = page.getByRole("form", { name: "Add an agent" })
    expect(
      await form.getByRole("combobox", { name: "Type" }).locator("option").allInnerTexts(),
    ).toEqual(["http", "adk", "confirmation", "error_boundary"])
    await form.getByRole("textbox", { name: "Name" }).fill("check")
    await form.getByRole("button", { name: "Add", exact: true }).click()
    await added.waitFor()
    const withNode = await saved()
    expect(JSON.parse(withNode)).toMatchObject({
      nodes: [{ id: "load" }, { id: "check", dependencies: ["load"] }, { id: "ask" }],
    })

    await page.locator('.drawing .is-selected[data-state="check"]').waitFor()
    await press("Edit fields")
    await page.locator(".agent-panel").getByText("http", { exact: true }).first().waitFor()
    await page.locator(".agent-panel").press("Escape")
    await press("Remove")
    await added.waitFor({ state: "detached" })
    expect(await saved()).toBe(text)
    await press("Undo")
    expect(await saved()).toBe(withNode)
    await press("Undo")
    expect(await saved()).toBe(text)
    await close()
  })
})
