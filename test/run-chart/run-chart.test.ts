import { fileURLToPath } from "node:url"
import axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { build } from "vite"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { drawSvg } from "../../src/drawing/index.js"
import { RunChart } from "../../src/react/index.js"
import { defineRunChart } from "../../src/run-chart/index.js"
import { isBuilt } from "../cli/command.js"
import { noBrowser, sharedBrowser } from "../support/browser.js"
import { chartOf, human, sequence } from "../support/workflow.js"

const agents = [
  sequence("line", ["writer", "boss"]),
  { type: "LlmAgent", id: "writer", model: "writer" },
  human("boss"),
]
const config = JSON.stringify({ rootAgentId: "line", agents })

test("a server can import the element and render the component", () => {
  defineRunChart()
  expect(renderToString(createElement(RunChart, { className: "wide" }))).toBe(
    '<run-chart class="wide"></run-chart>',
  )
})

describe.skipIf(!isBuilt || noBrowser !== null)("the chart of a run in a page", () => {
  let browser: Browser
  let page: Page
  let script: string
  let drawing: string
  let problems: string[]

  beforeAll(async () => {
    const built = await build({
      configFile: false,
      logLevel: "error",
      build: {
        write: false,
        rolldownOptions: {
          input: fileURLToPath(new URL("page.js", import.meta.url)),
          output: { format: "iife" },
        },
      },
    })
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
      "output" in one ? one.output : [],
    )
    script = outputs.flatMap((one) => (one.type === "chunk" ? [one.code] : [])).join("")
    drawing = await drawSvg(chartOf(agents))
    browser = await sharedBrowser()
  })

  beforeEach(async ({ onTestFinished }) => {
    problems = []
    page = await browser.newPage()
    page.on("pageerror", (error) => problems.push(error.message))
    // A page needs an origin, because `crypto.randomUUID` only exists in secure contexts.
    await page.route("http://localhost/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<!doctype html><html lang=en><title>A run</title><main></main>",
      }),
    )
    await page.goto("http://localhost/")
    await page.addScriptTag({ content: script })
    await page.evaluate(`globalThis.drawing = ${JSON.stringify(drawing)}
      globalThis.started = page.start(${JSON.stringify(config)})`)
    onTestFinished(async () => {
      await page.close()
      expect(problems).toEqual([])
    })
  })

  const show = (properties: string): Promise<unknown> =>
    page.evaluate(`page.defineRunChart()
      globalThis.chart = Object.assign(document.createElement("run-chart"), ${properties})
      document.querySelector("main").append(chart)`)
  const statusIs = (text: string): Promise<unknown> =>
    expect.poll(() => page.locator("run-chart [role=status]").innerText()).toBe(text)
  const agentsMarked = (name: string): Promise<readonly (string | null)[]> =>
    page
      .locator(`[data-agents].${name}`)
      .evaluateAll((states) => states.map((state) => state.getAttribute("data-agents")))

  test("highlights active, waiting and finished agents of a run in the page", async () => {
    await show("{ run: started.run, drawing }")
    await statusIs("Active: line, writer.")
    expect(await agentsMarked("is-active")).toContain("writer")
    expect(await agentsMarked("is-active")).not.toContain("boss")
    await page.evaluate('started.respond("a draft")')
    await statusIs("Active: line. Waiting for an answer: boss. Finished: writer.")
    expect(await agentsMarked("is-waiting")).toEqual(["boss"])
    expect(await agentsMarked("is-finished")).toEqual(["writer"])
    const walked = (): Promise<readonly string[]> =>
      page
        .locator(".wire.is-walked")
        .evaluateAll((wires) =>
          wires.map((wire) =>
            ["data-from", "data-to"].map((name) => wire.getAttribute(name) ?? "mark").join(" > "),
          ),
        )
    await expect
      .poll(async () => (await walked()).toSorted())
      .toEqual(["mark > line", "mark > writer", "writer > boss"])
    const stroke = await page
      .locator(".is-waiting > .box")
      .evaluate((box) => getComputedStyle(box).stroke)
    expect(stroke).toBe("rgb(217, 119, 6)")
    await page.evaluate('started.run.answer(started.run.pending()[0].id, "yes")')
    await statusIs("Finished: writer, boss, line.")
    expect(await agentsMarked("is-active")).toEqual([])
    // All arrows of the run are highlighted, with the start marks and the end marks.
    await expect.poll(async () => (await walked()).length).toBe(5)
    expect(await page.locator("[data-mark].is-walked").count()).toBe(4)
    expect(await page.locator(".run-badge.of-finished").count()).toBe(3)
  })

  test("an event changes only the states whose highlight differs", async () => {
    await show("{ run: started.run, drawing }")
    await statusIs("Active: line, writer.")
    await page.evaluate(`globalThis.changed = new Set()
      new MutationObserver((changes) => {
        for (const { target, attributeName } of changes)
          if (attributeName === "class") changed.add(target.getAttribute("data-agents") ?? target.localName)
      }).observe(chart.shadowRoot, { attributes: true, subtree: true })
      started.respond("a draft")`)
    await statusIs("Active: line. Waiting for an answer: boss. Finished: writer.")
    expect(await page.evaluate("[...changed].toSorted()")).toEqual(["boss", "path", "writer"])
  })

  test("is accessible and reports a click on an agent", async () => {
    await show("{ run: started.run, drawing }")
    await statusIs("Active: line, writer.")
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate('axe.run("main")')) as {
      readonly violations: readonly { readonly id: string }[]
    }
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.keyboard.press("Tab")
    expect(await page.evaluate("chart.shadowRoot.activeElement.getAttribute('role')")).toBe("group")
    await page.getByRole("img", { name: /^Statechart of / }).waitFor()
    await page.evaluate(`chart.addEventListener("agent-select", ({ detail }) =>
      (globalThis.selected = detail.agent))`)
    await page.locator('[data-agents="writer"] .title').click()
    expect(await page.evaluate("selected")).toBe("writer")
  })

  test("follows a run only while it is in the document, and then shows all of its events", async () => {
    await show("{ run: started.run, drawing }")
    await statusIs("Active: line, writer.")
    await page.evaluate('chart.remove(); started.respond("a draft")')
    await expect.poll(() => page.evaluate("started.run.status")).toBe("waiting")
    expect(await page.evaluate("chart.shadowRoot.querySelector('.status').textContent")).toBe(
      "Active: line, writer.",
    )
    await page.evaluate('document.querySelector("main").append(chart)')
    await statusIs("Active: line. Waiting for an answer: boss. Finished: writer.")
  })

  test("shows a list of events that grows, loses its oldest events, or becomes shorter", async () => {
    await page.evaluate(`started.respond("a draft")
      globalThis.events = []
      started.run.events$.subscribe((event) => events.push(event))`)
    await expect.poll(() => page.evaluate("started.run.status")).toBe("waiting")
    const asked =
      1 + Number(await page.evaluate('events.findIndex(({ type }) => type === "agent.started")'))
    await show(`{ drawing, events: events.slice(0, ${asked}) }`)
    await statusIs("Active: line.")
    await page.evaluate(`chart.events = events.slice(${asked - 1})`)
    await statusIs("Active: line. Waiting for an answer: boss. Finished: writer.")
    await page.evaluate(`chart.events = events.slice(0, ${asked})`)
    await statusIs("Active: line.")
    await page.evaluate("chart.events = []")
    await statusIs("No agent has started.")
  })

  test("removes scripts from a drawing and reports text that is not SVG", async () => {
    await show(`{ drawing: drawing
      .replace("<svg ", '<svg onload="globalThis.hacked = true" ')
      .replace("</svg>", '<script>globalThis.hacked = true</script><foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="globalThis.hacked = true"/></foreignObject></svg>') }`)
    await page.locator('run-chart [data-agents="writer"]').waitFor()
    expect(
      await page.evaluate(
        "chart.shadowRoot.querySelectorAll('script, foreignObject, img, [onload]').length",
      ),
    ).toBe(0)
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined()
    await page.evaluate(`chart.addEventListener("chart-error", ({ detail }) =>
      (globalThis.code = detail.error.code)); chart.drawing = "<p>no drawing"`)
    await statusIs(
      "The chart cannot be shown: the drawing is not SVG; pass the text that drawSvg(chart) or run.drawing() returns",
    )
    expect(await page.evaluate("code")).toBe("input_refused")
    await page.evaluate("chart.drawing = drawing")
    await statusIs("No agent has started.")
  })

  test("the component follows its props in StrictMode and stops when it unmounts", async () => {
    await page.evaluate(`const { createElement, StrictMode, RunChart, createRoot } = page
      globalThis.root = createRoot(document.querySelector("main"))
      globalThis.render = (props) => root.render(createElement(StrictMode, null,
        createElement(RunChart, { ...props, onAgent: (agent) => (globalThis.selected = agent) })))
      render({ run: null, className: "wide" })`)
    await page.locator("run-chart.wide").waitFor({ state: "attached" })
    await page.evaluate("render({ run: started.run, drawing: Promise.resolve(drawing) })")
    await statusIs("Active: line, writer.")
    await page.locator('[data-agents="writer"] .title').click()
    expect(await page.evaluate("selected")).toBe("writer")
    await page.evaluate('started.respond("a draft")')
    await statusIs("Active: line. Waiting for an answer: boss. Finished: writer.")
    await page.evaluate("root.unmount()")
    await expect.poll(() => page.locator("run-chart").count()).toBe(0)
    await page.evaluate("started.run.cancel()")
  })
})
