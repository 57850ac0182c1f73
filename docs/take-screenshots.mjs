// Takes the pictures of the studio that the docs show: npm run screenshots. Needs a Chromium (CHROMIUM says where, else /usr/bin/chromium).
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"

const project = fileURLToPath(new URL("../", import.meta.url))
const picture = (name) => join(project, "docs", "images", name)
const journal = mkdtempSync(join(tmpdir(), "screenshots-"))
const child = spawn(
  process.execPath,
  [join(project, "dist/cli/main.js"), "studio", join(project, "examples"), "--journal", journal],
  { stdio: ["ignore", "pipe", "inherit"] },
)
const url = await new Promise((resolve) =>
  child.stdout.on(
    "data",
    (chunk) =>
      /Studio (http:\S+)/.exec(String(chunk))?.[1] &&
      resolve(/Studio (http:\S+)/.exec(String(chunk))[1]),
  ),
)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
})
const open = async (page, file) => {
  await page.goto(url)
  await page.locator(`.files a[data-path="${file}"]`).click()
  await page.locator(".drawing svg").waitFor()
  await page.getByText("No problems.").waitFor()
}
const run = async (page) => {
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.locator(".run-view").waitFor()
}
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } })
  await open(page, "travel-planner/workflow.json")
  await page.screenshot({ path: picture("studio-edit.png") })
  await run(page)
  await page.locator('[data-agents="flight_agent"].is-active').waitFor()
  await page.locator(".event.of-tools").first().waitFor()
  await page.screenshot({ path: picture("studio-run.png") })
  await open(page, "human-approval/workflow.json")
  await run(page)
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor()
  await page.screenshot({ path: picture("studio-approval.png") })
} finally {
  await browser.close()
  child.kill("SIGINT")
  await new Promise((resolve) => child.on("close", resolve))
  rmSync(journal, { recursive: true })
}
