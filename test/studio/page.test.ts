import {
  cpSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/built-command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { lendPage, noBrowser, returnPage } from "../support/browser.js"
import type { TalkingModel } from "../support/talking-model.js"
import { talkingModel } from "../support/talking-model.js"
import { llm, loop, parallel, sequence } from "../support/workflow.js"
import { geometryProblems } from "./measure-drawing.js"
import type { TestStudio } from "./test-studio.js"
import { startStudioProcess, startTestStudio } from "./test-studio.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the studio in a browser", () => {
  let place: string
  /** The tests share one studio. A test that kills the studio starts another one. */
  let studio: TestStudio
  /** Responds to the agents without a scenario. */
  let model: TalkingModel
  let page: Page
  /** Requests to other hosts, and errors that the page reported. */
  let outside: string[]
  let troubles: string[]

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "studio-page-"))
    mkdirSync(join(place, "work"))
    model = await talkingModel()
    studio = await startStudio()
  })

  afterAll(async () => {
    await studio.stop()
    model.close()
    rmSync(place, { recursive: true })
  })

  const startStudio = (start = startTestStudio): Promise<TestStudio> =>
    start(join(place, "work"), join(place, "runs"), ["--openai", model.baseUrl])

  beforeEach(async () => {
    for (const name of ["travel-planner", "human-approval", "content-loop"])
      cpSync(join(projectFolder, "examples", name), join(place, "work", name), {
        recursive: true,
      })
    page = await lendPage()
    outside = []
    troubles = []
    page.on("request", (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) outside.push(request.url())
    })
    page.on("pageerror", (error) => troubles.push(error.message))
    page.on("console", (message) => {
      // The browser also reports each response with an error status.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        troubles.push(message.text())
    })
  })

  afterEach(async () => {
    expect({ outside, troubles }).toEqual({ outside: [], troubles: [] })
    await returnPage(page)
    for (const name of readdirSync(join(place, "work")))
      rmSync(join(place, "work", name), { recursive: true })
  })

  const openFile = async (path: string): Promise<void> => {
    await page.goto(studio.url)
    const link = page.locator(`.files a[data-path="${path}"]`)
    await link.waitFor({ state: "attached" })
    // A narrow page has a button that opens the list.
    const toggle = page.getByRole("button", { name: "List" })
    if (await toggle.isVisible()) await toggle.click()
    await link.click()
    await page.locator(".drawing svg").waitFor()
  }
  const run = async (): Promise<void> => {
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.locator(".run-view").waitFor()
  }
  const status = (): Promise<string> => page.locator(".run-bar .status").innerText()
  const statusIs = (wanted: string): Promise<unknown> =>
    page.locator(".run-bar .status", { hasText: new RegExp(`^${wanted}$`) }).waitFor()
  const lit = (agent: string, mark = "is-active"): ReturnType<Page["locator"]> =>
    page.locator(`[data-agents~="${agent}"].${mark}`)

  test("the editor marks a mistake at its line, and saves the workflow", async () => {
    await openFile("content-loop/workflow.json")
    expect(await page.evaluate(() => new URL(location.href).searchParams.has("token"))).toBe(false)
    await page.getByText("No problems.").waitFor()
    const editor = page.locator(".cm-content")
    await editor.click()
    await page.keyboard.press("ControlOrMeta+a")
    const text = readFileSync(join(place, "work", "content-loop", "workflow.json"), "utf8")
    await page.keyboard.insertText(
      text.replace('"agentId": "reviewer_agent"', '"agentId": "reviewer"'),
    )
    await page.locator(".problems li.is-error", { hasText: '"reviewer"' }).waitFor()
    // The list names the line of the mistake, and the editor has a mark.
    const line =
      text.split("\n").findIndex((one) => one.includes('"agentId": "reviewer_agent"')) + 1
    expect(await page.locator(".problems li.is-error").first().innerText()).toContain(
      `line ${line}`,
    )
    await page.locator(".cm-lint-marker-error").waitFor()
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true)
    await page.getByText("The drawing shows the last version without errors.").waitFor()
    await page.keyboard.press("ControlOrMeta+z")
    await page.getByText("No problems.").waitFor()
    await editor.click()
    await page.keyboard.press("Control+End")
    await page.keyboard.insertText("\n")
    await page.keyboard.press("ControlOrMeta+s")
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(readFileSync(join(place, "work", "content-loop", "workflow.json"), "utf8")).toBe(
      `${text}\n`,
    )
  })

  test("the editor completes and explains fields in JSON and YAML", async () => {
    const text = "name: writer\nmodel: large\ninstruction: Write.\n"
    writeFileSync(join(place, "work", "root_agent.yaml"), text)
    const editor = page.locator(".cm-content")
    const option = (label: string): ReturnType<Page["locator"]> =>
      page.locator(".cm-tooltip-autocomplete li").filter({
        has: page.locator(".cm-completionLabel", { hasText: new RegExp(`^${label}$`) }),
      })
    await openFile("content-loop/workflow.json")
    await editor.click()
    await page.keyboard.press("ControlOrMeta+Home")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.insertText("\n  ")
    await page.keyboard.type('"maxModelCallsP')
    await page.locator(".cm-completionInfo", { hasText: "Maximum model calls" }).waitFor()
    await option("maxModelCallsPerTurn").click()
    await page.keyboard.type("5,")
    await page.getByText("No problems.").waitFor()
    expect(await editor.innerText()).toContain('"maxModelCallsPerTurn": 5,')
    await page.locator(".cm-line", { hasText: "rootAgentId" }).hover({ position: { x: 50, y: 8 } })
    await page.locator(".field-help", { hasText: "The agent with which a run starts." }).waitFor()

    await openFile("root_agent.yaml")
    await editor.click()
    await page.keyboard.press("ControlOrMeta+End")
    await page.keyboard.type("output_k")
    await option("output_key").click()
    await page.keyboard.type("draft")
    await page.getByText("No problems.").waitFor()
    expect(await editor.innerText()).toContain("output_key: draft")
    await page.locator(".cm-line", { hasText: "instruction" }).hover({ position: { x: 30, y: 8 } })
    await page.locator(".field-help").waitFor()
  })

  test("a run highlights its states, and the user can travel through the run and fork it", async () => {
    await openFile("travel-planner/workflow.json")
    await run()
    await lit("research").waitFor()
    await lit("flight_agent").waitFor()
    await statusIs("completed")
    expect(await page.locator("[data-agents].is-active").count()).toBe(0)
    await lit("trip_writer", "is-finished").waitFor()
    await page
      .locator('.wire.is-walked[data-from="research"][data-to="trip_writer"]')
      .waitFor({ state: "attached" })

    const rows = page.getByRole("listbox", { name: "Events" }).getByRole("option")
    const all = Number(await rows.last().getAttribute("aria-setsize"))
    await page.getByRole("searchbox", { name: "Find events" }).fill("search_flights")
    await page.getByText(/^\d+ of \d+ rows$/).waitFor()
    expect(Number(await rows.last().getAttribute("aria-setsize"))).toBeLessThan(all)
    await page.getByRole("searchbox", { name: "Find events" }).fill("")
    await page
      .getByRole("group", { name: "Kinds of events" })
      .getByRole("button", { name: "models" })
      .click()
    await page.getByRole("listbox", { name: "Events" }).focus()
    await page.keyboard.press("End")
    expect(await page.locator(".event.of-models").count()).toBe(0)
    await page.locator(".event.of-state").last().click()
    await page.locator(".changes .is").first().waitFor()
    await page.getByRole("button", { name: "Close the details" }).click()

    // Keys change the tab and the position of the slider.
    await page.getByRole("tab", { name: "Events" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.locator(".state > div").first().waitFor()
    expect(await page.locator(".state dt").allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining("travel_plan")]),
    )
    await page.getByRole("slider", { name: "Position in the journal" }).focus()
    await page.keyboard.press("Home")
    await page.getByText(/^0 of \d+ records/).waitFor()
    await lit("flight_agent").waitFor()
    expect(await page.locator(".state dt").allInnerTexts()).not.toEqual(
      expect.arrayContaining([expect.stringContaining("travel_plan")]),
    )
    await page.keyboard.press("ArrowRight")
    await page.getByText(/^1 of \d+ records/).waitFor()

    await page.getByText("Fork from here").click()
    await page.getByLabel("State, as a JSON object").fill('{"mood": "thrifty"}')
    await page.getByLabel("Compare with this run").uncheck()
    await page.getByRole("button", { name: "Fork and run" }).click()
    await page.getByText(/^forked from/).waitFor()
    await statusIs("completed")
    await page.getByRole("tab", { name: "State" }).click()
    await page.locator(".state dt", { hasText: "mood" }).waitFor()
    await page.getByRole("tab", { name: "Agents" }).click()
    await page.getByRole("row", { name: /^flight_agent 1 2 1/ }).waitFor()
    await page.locator(".conversation", { hasText: "trip_writer" }).first().waitFor()
  })

  test("a request can be approved in the page after the server was killed", async () => {
    await studio.stop()
    studio = await startStudio(startStudioProcess)
    await openFile("human-approval/workflow.json")
    await run()
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor()
    await lit("payments_agent", "is-waiting").waitFor()
    const { hash } = new URL(page.url())
    await studio.stop("SIGKILL")
    await page
      .getByText("The studio does not respond. Check that it is still running.")
      .first()
      .waitFor()
    studio = await startStudio()
    await page.goto(`${studio.url}${hash}`)
    await statusIs("waiting")
    const approve = page.getByRole("button", { name: "Approve", exact: true })
    await expect
      .poll(async () => {
        // The button may disappear before it is clicked.
        if (await approve.isVisible()) await approve.click({ timeout: 1_000 }).catch(() => {})
        return await status()
      })
      .toBe("completed")
  })

  test("a person sees the state of a question, chooses an answer, and corrects edited arguments", async () => {
    writeFileSync(
      join(place, "work", "publish.json"),
      JSON.stringify({
        rootAgentId: "editor",
        initialUserInput: "go",
        state: { article: "Tea.\nIt is hot.", pages: [1, 2] },
        agents: [
          {
            type: "HumanAgent",
            id: "editor",
            prompt: "Publish?\nIt has {{two}} lines.",
            choices: ["publish", "reject"],
            show: ["article", "pages"],
            outputKey: "decision",
          },
        ],
      }),
    )
    await page.reload()
    await openFile("publish.json")
    await run()
    const form = page.getByRole("form", { name: "editor asks" })
    await form.waitFor()
    expect(await form.locator(".prompt").innerText()).toBe("Publish?\nIt has {two} lines.")
    const shown = form.locator(".shown > div > dd")
    expect(await shown.first().innerText()).toBe("Tea.\nIt is hot.")
    expect(await shown.last().locator(".value").allInnerTexts()).toEqual(["1", "2"])
    expect(await form.getByRole("textbox").count()).toBe(0)
    await form.getByRole("button", { name: "reject" }).click()
    await statusIs("completed")

    await openFile("human-approval/workflow.json")
    await run()
    const approval = page.getByRole("form", { name: "payments_agent asks for approval" })
    const args = approval.getByRole("textbox", { name: "Arguments of pay_invoice" })
    const proposed = await args.inputValue()
    await args.fill(proposed.replace(/"amount": \d+/, '"amount": "lots"'))
    await approval.getByRole("button", { name: "Approve", exact: true }).click()
    await approval.getByRole("alert").getByText("/amount").waitFor()
    expect(await args.inputValue()).toContain("lots")
    await args.fill(proposed)
    await approval.getByRole("button", { name: "Approve", exact: true }).click()
    await approval.getByRole("alert").waitFor({ state: "detached" })
  })

  test("the arguments of each proposed call can be corrected, and the agent filter can be cleared", async () => {
    const call = (id: string, city: string): object => ({
      id,
      function_name: "book",
      function_args: { city },
    })
    mkdirSync(join(place, "work", "trips"))
    const write = (name: string, content: object): void =>
      writeFileSync(join(place, "work", "trips", name), JSON.stringify(content))
    write("workflow.json", {
      rootAgentId: "clerk",
      initialUserInput: "go",
      globalTools: [
        {
          type: "HttpTool",
          id: "book",
          httpConfig: { url: "http://tools.test/book", method: "POST" },
        },
      ],
      agents: [llm("clerk", { tools: ["book"] })],
    })
    write("scenario.json", {
      llm: {
        clerk: [
          {
            content: null,
            toolCalls: [call("1", "Rome"), call("2", "Oslo")],
            hitlRequest: { prompt: "Book both?" },
          },
          { content: "Done.", exitFlow: true },
        ],
      },
      tools: { book: [{ result: "ok" }, { result: "ok" }] },
    })
    await openFile("trips/workflow.json")
    await run()
    const form = page.getByRole("form", { name: "clerk asks for approval" })
    await form.getByLabel("Arguments of book (2)").fill('{"city": 5')
    await form.getByRole("button", { name: "Approve", exact: true }).click()
    await form.getByRole("alert").getByText("The arguments of book must be valid JSON").waitFor()
    await form.getByLabel("Arguments of book (2)").fill('{"city": "Bergen"}')
    await form.getByRole("button", { name: "Approve", exact: true }).click()
    await statusIs("completed")
    const calls = page.locator(".event.of-tools")
    await calls.filter({ hasText: "Rome" }).waitFor()
    await calls.filter({ hasText: "Bergen" }).waitFor()

    await page.locator('[data-state="clerk"]').click()
    await page.getByRole("tab", { name: "Events" }).click()
    await page.getByText("The events of other agents are hidden.").waitFor()
    await page.getByRole("button", { name: "Show all agents" }).click()
    await page.getByText(/^\d+ events$/).waitFor()
  })

  test("an active run is interrupted when the server is killed, and can be resumed in the page", async () => {
    await studio.stop()
    studio = await startStudio(startStudioProcess)
    await openFile("travel-planner/workflow.json")
    await run()
    await lit("hotel_agent").waitFor()
    await page.locator(".event.of-tools").first().waitFor()
    const { hash } = new URL(page.url())
    await studio.stop("SIGKILL")
    studio = await startStudio()
    await page.goto(`${studio.url}${hash}`)
    await statusIs("interrupted")
    await page.getByRole("button", { name: "Resume" }).click()
    await statusIs("completed")
  })

  test("the panels of a run can be resized with keys and pointer, and keep their size after a reload", async () => {
    await openFile("travel-planner/workflow.json")
    await run()
    const splitter = page.getByRole("separator", { name: "Width of the side panel" })
    const width = async (): Promise<number> =>
      (await page.getByRole("region", { name: "Details of the run" }).boundingBox())?.width ?? 0
    const before = await width()
    await splitter.focus()
    await page.keyboard.press("ArrowLeft")
    const wider = await width()
    expect(wider).toBeGreaterThan(before)
    const handle = await splitter.boundingBox()
    if (handle === null) throw new Error("The splitter is not visible.")
    await page.mouse.move(handle.x + 3, handle.y + 100)
    await page.mouse.down()
    await page.mouse.move(handle.x + 103, handle.y + 100)
    await page.mouse.up()
    const dragged = await width()
    expect(dragged).toBeCloseTo(wider - 100, -1)
    await page.reload()
    await splitter.waitFor()
    expect(await width()).toBe(dragged)
    await statusIs("completed")
  })

  test("a run can be cancelled in the page", async () => {
    await openFile("travel-planner/workflow.json")
    await run()
    await lit("hotel_agent").waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()
    await statusIs("cancelled")
    expect(await page.locator("[data-agents].is-active").count()).toBe(0)
  })

  test("a response that is aborted while it arrives is not shown as an error", async () => {
    // The response with the first snapshot starts, but does not end until the page aborts it.
    await page.addInitScript(() => {
      const ask = globalThis.fetch
      let isFirst = true
      globalThis.fetch = async (input, init) => {
        if (!isFirst || !String(input).endsWith("/at")) return await ask(input, init)
        isFirst = false
        return new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('{"seen":'))
              init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason))
            },
          }),
        )
      }
    })
    await openFile("travel-planner/workflow.json")
    await run()
    await statusIs("completed")
    await page.locator(".event.of-run").last().click()
    await page.getByRole("button", { name: "Travel here" }).click()
    await page.getByRole("tab", { name: "State" }).click()
    await page.locator(".state dt", { hasText: /^travel_plan / }).waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    // The page is closed, because its init script cannot be removed.
    await page.close()
  })

  test("the branches of a list share one row with their progress, and their conversations are folded", async () => {
    const agents = [
      {
        type: "ParallelAgent",
        id: "all",
        subAgents: [{ agentId: "worker" }],
        forEach: { items: "list(range(40))", collect: { out: "worker_text" } },
        failurePolicy: "collect",
      },
      llm("worker"),
    ]
    mkdirSync(join(place, "work", "list"))
    writeFileSync(
      join(place, "work", "list", "workflow.json"),
      JSON.stringify({ rootAgentId: "all", agents, initialUserInput: "go" }),
    )
    const answers = Array.from({ length: 40 }, (_, index) => ({
      forState: { item: index },
      ...(index === 7 ? { httpStatus: 400 } : { content: `said ${index}` }),
    }))
    writeFileSync(
      join(place, "work", "list", "scenario.json"),
      JSON.stringify({ llm: { worker: answers } }),
    )
    await openFile("list/workflow.json")
    await run()
    await statusIs("completed")
    await page.getByRole("tab", { name: "Agents" }).click()
    const rows = page.getByRole("list", { name: "Branches" }).getByRole("listitem")
    expect(await rows.allInnerTexts()).toEqual(["all  40 of 40 branches ended, 1 failed"])
    const folded = page.locator("details.folded")
    expect(await folded.count()).toBe(1)
    await folded.locator("summary").first().click()
    await page.getByRole("spinbutton", { name: "Conversation" }).fill("12")
    await page.getByRole("region", { name: "Conversation of all[11]/worker" }).waitFor()
  })

  test("the streamed text of a model is shown while it arrives", async () => {
    writeFileSync(
      join(place, "work", "greeting.json"),
      JSON.stringify({
        rootAgentId: "all",
        agents: [
          sequence("all", ["greeter"]),
          { id: "greeter", type: "LlmAgent", model: "m", instructions: "Greet." },
        ],
        initialUserInput: "Hi.",
      }),
    )
    await openFile("greeting.json")
    await run()
    await model.called(1)
    model.say("Good ")
    await page.locator(".saying", { hasText: /^all\/greeter Good $/ }).waitFor()
    model.say("morning.")
    await page.locator(".saying", { hasText: "Good morning." }).waitFor()
    model.finish()
    await statusIs("completed")
    await page.locator(".saying").waitFor({ state: "detached" })
  })

  test.each([
    ["4", [sequence("all", ["a0", "both", "a3"]), parallel("both", ["a1", "a2"])], 4],
    [
      "30",
      [
        sequence("all", [
          ...Array.from({ length: 10 }, (_, index) => `a${index}`),
          "many",
          "rounds",
        ]),
        parallel(
          "many",
          Array.from({ length: 12 }, (_, index) => `a${index + 10}`),
        ),
        loop(
          "rounds",
          Array.from({ length: 8 }, (_, index) => `a${index + 22}`),
          3,
        ),
      ],
      30,
    ],
    [
      "200",
      [
        sequence(
          "all",
          Array.from({ length: 20 }, (_, group) => `g${group}`),
        ),
        ...Array.from({ length: 20 }, (_, group) =>
          (group % 2 === 0 ? sequence : parallel)(
            `g${group}`,
            Array.from({ length: 10 }, (_, index) => `a${group * 10 + index}`),
          ),
        ),
      ],
      200,
    ],
  ])(
    "a chart of %s agents has no overlaps, no cut texts, and no arrows through other states",
    async (_, containers, count) => {
      const agents = [
        ...(containers as readonly object[]),
        ...Array.from({ length: count }, (_, index) => llm(`a${index}`)),
      ]
      mkdirSync(join(place, "work", "drawn"))
      writeFileSync(
        join(place, "work", "drawn", "workflow.json"),
        JSON.stringify({ rootAgentId: "all", agents }),
      )
      await openFile("drawn/workflow.json")
      await page.getByRole("button", { name: "Actual size" }).click()
      const { problems, states } = await page.evaluate(geometryProblems)
      expect(problems).toEqual([])
      expect(states).toBeGreaterThanOrEqual(Math.min(count, 40))
    },
  )
})
