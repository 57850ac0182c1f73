import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import axe from "axe-core"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { noBrowser, sharedBrowser } from "../support/browser.js"
import { startTestServer } from "./test-server.js"

test.skipIf(!isBuilt || noBrowser !== null)(
  "a page in a single file runs a workflow over AG-UI, and answers its requests",
  async () => {
    const place = mkdtempSync(join(tmpdir(), "serve-"))
    const server = await startTestServer(join(projectFolder, "examples"), join(place, "runs"), [
      "--scripted",
      "--token",
      "test-token",
      "--page",
      join(projectFolder, "examples/ag-ui-page.html"),
    ])
    const page = await (await sharedBrowser()).newPage()
    const troubles: string[] = []
    page.on("pageerror", (error) => troubles.push(String(error)))
    page.on(
      "console",
      (message) => void (message.type() === "error" && troubles.push(message.text())),
    )
    await page.goto(server.origin)
    await page.getByLabel("Token").fill("test-token")
    await page.getByRole("button", { name: "Connect" }).click()
    await page.locator("option[value=human-approval]").waitFor({ state: "attached" })
    await page.getByLabel("Workflow").selectOption("human-approval")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("Pay 1,940 EUR").waitFor()
    await page.evaluate(axe.source)
    const found = (await page.evaluate("axe.run()")) as {
      readonly violations: readonly { readonly id: string }[]
    }
    expect(found.violations.map(({ id }) => id)).toEqual([])
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Pay 2,760 EUR").waitFor()
    await page.getByRole("button", { name: "Reject" }).click()
    await page.getByText("Not paid: INV-2304").waitFor()
    await page.getByLabel("Workflow").selectOption("adk-yaml-team")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("known_facts: Line 7 opens on 3 May.").waitFor()
    await page.getByRole("button", { name: "page one" }).click()
    await page.getByRole("button", { name: "page one" }).waitFor({ state: "detached" })
    expect(troubles).toEqual([])
    await page.close()
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  },
)
