import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BaseEvent } from "@ag-ui/client"
import { HttpAgent } from "@ag-ui/client"
import { EventSchema } from "@ag-ui/core/schemas"
import { build } from "vite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { noBrowser, sharedBrowser } from "../support/browser.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess, startTestServer } from "./test-server.js"

const example = join(projectFolder, "examples/adk-page-tools")
const options = ["--scripted", "--token", "test-token"]
const setColor = {
  name: "set_color",
  description: "Sets the color.",
  parameters: {
    type: "object",
    properties: { color: { type: "string" } },
    required: ["color"],
  },
}

describe.skipIf(!isBuilt)("the tools of a page", () => {
  let place: string
  let served: string
  let server: TestServer | null

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), "page-tools-"))
    served = join(place, "workflows")
    server = null
    for (const file of ["workflow.json", "scenario.json"])
      cpSync(join(example, file), join(served, "adk-page-tools", file))
  })

  afterEach(async () => {
    await server?.stop()
    rmSync(place, { recursive: true })
  })

  const serve = async (
    more: readonly string[] = [],
    start = startTestServer,
  ): Promise<TestServer> =>
    (server = await start(served, join(place, "runs"), [...options, ...more]))

  const agentOf = ({ origin }: TestServer): HttpAgent =>
    new HttpAgent({
      url: `${origin}/ag-ui/adk-page-tools`,
      headers: { authorization: "Bearer test-token" },
      threadId: "thread-1",
      initialMessages: [{ id: "m1", role: "user", content: "Blue, please." }],
    })

  async function run(agent: HttpAgent, tools: readonly object[]): Promise<readonly BaseEvent[]> {
    const events: BaseEvent[] = []
    const parameters = { tools: [...tools] } as Parameters<HttpAgent["runAgent"]>[0]
    await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event) })
    for (const event of events)
      expect(EventSchema.safeParse(event).error, JSON.stringify(event)).toBeUndefined()
    return events
  }

  test("an agent calls a tool of the page, and the result arrives after the server was killed", async () => {
    const first = await serve([], startServerProcess)
    const agent = agentOf(first)
    const called = await run(agent, [setColor, { name: "erase_all", description: "Erases." }])
    expect(called.find(({ type }) => type === "TOOL_CALL_START")).toMatchObject({
      toolCallId: "designer:color-1",
      toolCallName: "set_color",
    })
    expect(called.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } })
    expect(agent.pendingInterrupts).toEqual([])
    const { body } = await first.ask("/v1/runs/thread-1")
    expect(body).toMatchObject({ status: "waiting" })
    await first.stop("SIGKILL")

    const second = await serve()
    agent.url = `${second.origin}/ag-ui/adk-page-tools`
    // The run does not continue until the page sends the result.
    expect((await run(agent, [setColor])).at(-1)).toMatchObject({ type: "RUN_FINISHED" })
    agent.addMessage({
      id: "m2",
      role: "tool",
      toolCallId: "designer:color-1",
      content: '{"color": "blue"}',
    })
    const finished = await run(agent, [setColor])
    expect(finished.map(({ type }) => type)).not.toContain("TOOL_CALL_RESULT")
    expect(agent.messages.at(-1)).toMatchObject({
      role: "assistant",
      content: "The page is now as blue as the sea.",
    })
    const events = await second.events("thread-1", ({ type }) => type === "tool.finished")
    expect(events.at(-1)).toMatchObject({ tool: "set_color", response: { color: "blue" } })
    expect(JSON.stringify(agent.state)).not.toContain("erase_all")
  })

  test.each([
    ["a tool name that models reject", [{ name: "set color" }], /tools\[0\]\.name/],
    ["too many tools", Array.from({ length: 65 }, (_, n) => ({ name: `t${n}` })), /at most 64/],
    ["tools that are not a list", { name: "x" }, /must be a list/],
  ])("a request with %s is rejected", async (_, tools, message) => {
    const { origin } = await serve()
    const response = await fetch(`${origin}/ag-ui/adk-page-tools`, {
      method: "POST",
      headers: { authorization: "Bearer test-token", "content-type": "application/json" },
      body: JSON.stringify({ threadId: "t", runId: "r", messages: [], tools }),
    })
    expect(await response.text()).toMatch(message)
  })

  test.skipIf(noBrowser !== null)(
    "AG-UI's client executes the tools of a page in a browser",
    async () => {
      const built = await build({
        root: example,
        configFile: false,
        logLevel: "error",
        build: {
          write: false,
          modulePreload: false,
          rolldownOptions: { input: join(example, "main.mjs"), output: { format: "es" } },
        },
      })
      const [script] = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
      const code = script?.type === "chunk" ? script.code.replaceAll("</script", "<\\/script") : ""
      const html = readFileSync(join(example, "index.html"), "utf8").replace(
        '<script type="module" src="./main.mjs"></script>',
        () => `<script type="module">${code}</script>`,
      )
      const file = join(place, "page.html")
      writeFileSync(file, html)
      const { origin } = await serve(["--page", file])
      const page = await (await sharedBrowser()).newPage()
      const troubles: string[] = []
      page.on("pageerror", (error) => troubles.push(String(error)))
      await page.goto(`${origin}/#token=test-token`)
      await page.getByRole("button").click()
      await page.getByText("The page is now as blue as the sea.").waitFor()
      expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
        "rgb(0, 105, 148)",
      )
      expect(troubles).toEqual([])
      await page.close()
    },
  )
})
