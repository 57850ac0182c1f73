import { execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import axe from "axe-core"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { ServerProcess } from "../server/server-process.js"
import { examplesServed } from "../server/server-process.js"
import { noBrowser, openPage } from "../support/browser.js"

const vite = join(projectFolder, "node_modules/vite/bin/vite.js")
const app = join(projectFolder, "examples/react-app")

describe.skipIf(!isBuilt || noBrowser !== null)("react-app", { timeout: 90_000 }, () => {
  let server: ServerProcess
  let built: string
  examplesServed((started) => (server = started))

  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), "react-app-"))
    await promisify(execFile)(process.execPath, [vite, "build", app, "--outDir", built])
    return () => rmSync(built, { recursive: true })
  })

  /** Serves the built page as `vite preview` does, and returns its address. */
  async function preview(): Promise<string> {
    const child = spawn(
      process.execPath,
      [vite, "preview", app, "--outDir", built, "--host", "127.0.0.1", "--port", "0"],
      {
        env: {
          ...process.env,
          NO_COLOR: "1",
          AGENT_SERVER_URL: server.origin,
          AGENT_SERVER_TOKEN: server.token,
        },
      },
    )
    const ended = new Promise((resolve) => child.on("close", resolve))
    onTestFinished(async () => {
      child.kill("SIGTERM")
      await ended
    })
    let said = ""
    return new Promise((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        said += chunk.toString()
        const url = /(http:\/\/127\.0\.0\.1:\d+\/)/.exec(said)?.[1]
        if (url !== undefined) resolve(url)
      }
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
      void ended.then(() => reject(new Error(`vite preview ended:\n${said}`)))
    })
  }

  test("starts a run, highlights the agent that waits, and shows the result after the answers", async (context) => {
    const { page, problems } = await openPage(context, await preview())
    await page.getByLabel("Workflow").selectOption("human-approval")
    await page.getByRole("button", { name: "Start" }).click()
    await page.getByText("Pay 1,940 EUR").waitFor()
    const waiting = page.locator("run-chart .is-waiting")
    await waiting.waitFor()
    expect(await page.getByLabel("Workflow").inputValue()).toBe("human-approval")
    const [chart, drawing] = await Promise.all([
      page.locator("run-chart").boundingBox(),
      page.locator("run-chart svg").boundingBox(),
    ])
    expect(drawing?.height).toBeGreaterThan(100)
    expect(drawing?.height).toBeLessThanOrEqual(chart?.height ?? 0)
    expect(await waiting.getAttribute("data-agents")).toBe("payments_agent")
    await expect
      .poll(() => page.locator("run-chart [role=status]").innerText())
      .toBe("Waiting for an answer: payments_agent.")
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate("axe.run()")) as {
      readonly violations: readonly { readonly id: string }[]
    }
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Pay 2,760 EUR").waitFor()
    await page.getByRole("button", { name: "Reject" }).click()
    await page.locator("output", { hasText: "completed" }).waitFor()
    await page.getByLabel("Messages").getByText("Not paid: INV-2304").first().waitFor()
    await page.locator("run-chart .is-finished").waitFor()
    expect(await page.locator("run-chart .is-active, run-chart .is-waiting").count()).toBe(0)
    expect(problems).toEqual([])
  })

  test("shows the error of the server", async (context) => {
    const { page } = await openPage(context, await preview())
    await page.route("**/v1/runs", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/json",
        body: JSON.stringify({ code: "too_many_runs", message: "the server has too many runs" }),
      }),
    )
    await page.locator("option", { hasText: "travel-planner" }).waitFor({ state: "attached" })
    await page.getByRole("button", { name: "Start" }).click()
    await page.getByRole("alert").filter({ hasText: "too many runs" }).waitFor()
  })
})
