import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import { llm, sequence } from "../support/workflow.js"
import type { StudioFolder, StudioPage } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

describe.skipIf(!isBuilt || noBrowser !== null)("the view of a run in a browser", () => {
  let folder: StudioFolder

  beforeAll(async () => {
    folder = await studioFolder()
  })
  afterAll(() => folder.stop())

  const open = async (path: string): Promise<StudioPage> => {
    const opened = await folder.open(`/file/${encodeURIComponent(path)}`, { colorScheme: "dark" })
    onTestFinished(() => opened.close())
    return opened
  }

  /** Runs a workflow of one LlmAgent with one response. */
  const runWriter = async (name: string, response: object): Promise<StudioPage> => {
    folder.write(`${name}/workflow.json`, {
      rootAgentId: "all",
      initialUserInput: "go",
      agents: [sequence("all", ["writer"]), llm("writer", { instructions: "Be brief." })],
    })
    folder.write(`${name}/scenario.json`, { llm: { writer: [response] } })
    const opened = await open(`${name}/workflow.json`)
    await opened.run()
    return opened
  }

  test("the final answer is Markdown without HTML and without unsafe links", async () => {
    const { page, statusIs } = await runWriter("answer", {
      content:
        "# Offer\n\n**Ten** units. <img src=x onerror=alert(1)> [bad](javascript:alert(1)) [good](https://example.com)",
    })
    await statusIs("completed")
    const answer = page.getByRole("group", { name: "Final answer" })
    await answer.getByRole("heading", { name: "Offer" }).waitFor()
    expect(await answer.locator("strong").innerText()).toBe("Ten")
    expect(await answer.locator("img").count()).toBe(0)
    expect(await answer.innerText()).toContain("<img src=x")
    expect(await answer.getByRole("link").allInnerTexts()).toEqual(["good"])
  })

  test("a failed run names the agent, the error and the call that failed", async () => {
    const { page, statusIs } = await runWriter("failure", { httpStatus: 400 })
    await statusIs("failed")
    const result = page.getByRole("region", { name: "Result" })
    await result.getByText("writer failed").waitFor()
    await result.getByRole("button", { name: "Show the failed call" }).click()
    const details = page.getByRole("region", { name: "Details of the event" })
    await details.getByRole("heading", { name: /^model all\/writer/ }).waitFor()
  })

  test("a click on a bar of the timeline shows the prompt and the raw request of its call", async () => {
    const { page, statusIs } = await runWriter("timeline", { content: "Done." })
    await statusIs("completed")
    await page
      .getByRole("group", { name: "Timeline" })
      .getByRole("button", { name: /^model / })
      .click()
    const details = page.getByRole("region", { name: "Details of the event" })
    await details.locator(".of-system", { hasText: "Be brief." }).waitFor()
    await details.getByText("Raw request and response").click()
    await details.getByRole("group", { name: "Raw request" }).getByText('"messages"').waitFor()
  })

  test("a person can send messages to an agent in the chat", async () => {
    folder.write("chat/workflow.json", {
      rootAgentId: "desk",
      initialUserInput: "Hello",
      agents: [llm("desk")],
    })
    folder.write("chat/scenario.json", {
      llm: {
        desk: [
          { content: "What is your name?", waitForUserInput: true },
          { content: "Good day, Ada.", exitFlow: true },
        ],
      },
    })
    const { page, run, statusIs } = await open("chat/workflow.json")
    await run()
    await page.getByRole("textbox", { name: "Message to desk" }).fill("Ada")
    await page.keyboard.press("Enter")
    await statusIs("completed")
    expect(await page.locator(".chat-message").allInnerTexts()).toEqual([
      "Hello",
      expect.stringContaining("What is your name?"),
      "Ada",
      expect.stringContaining("Good day, Ada."),
    ])
  })
})
