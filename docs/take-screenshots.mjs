// Takes the pictures of the studio for the docs: npm run screenshots. Needs a Chromium and pngquant,
// which reduces the pictures to a third of their size.
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launchBrowser } from "../test/support/launch-browser.mjs"

const project = fileURLToPath(new URL("../", import.meta.url))
const picture = (name) => join(project, "docs", "images", name)
/** Replaces the responses of an agent in the scenario of an example. */
const replaceResponse = (example, agent, response) => {
  const path = join(examples, example, "scenario.json")
  const scenario = JSON.parse(readFileSync(path, "utf8"))
  scenario.llm[agent] = [response]
  writeFileSync(path, JSON.stringify(scenario))
}
const folder = mkdtempSync(join(tmpdir(), "screenshots-"))
const examples = join(folder, "examples")
cpSync(join(project, "examples"), examples, { recursive: true })
// The second agent of this copy gets an error, so that a picture can show a failed run.
replaceResponse("claims-pipeline", "fraud_detector", { delayMs: 300, httpStatus: 500 })
const child = spawn(
  process.execPath,
  [join(project, "dist/cli/main.js"), "studio", examples, "--journal", join(folder, "runs")],
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
const browser = await launchBrowser()
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
/** The upper part of the page, with this height. */
const top = (height) => ({ x: 0, y: 0, width: 1280, height })
/** Takes a picture of the page from the top of an element, as wide as the element. */
const takePart = async (page, selector, name, height) => {
  const { x, y, width } = await page.locator(selector).first().boundingBox()
  await page.screenshot({
    path: picture(name),
    clip: { x, y, width, height },
  })
}
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } })
  await open(page, "travel-planner/workflow.json")
  await page.screenshot({ path: picture("studio-edit.png"), clip: top(520) })
  await page.locator('[data-state="trip_writer"] > .box').click()
  await page.getByRole("button", { name: "Edit fields" }).click()
  await page.locator(".agent-field").first().waitFor()
  // The picture begins below the tools of the drawing.
  const { y } = await page.locator(".chart-editor").boundingBox()
  const { x, width } = await page.locator("main").boundingBox()
  await page.screenshot({
    path: picture("studio-edit-chart.png"),
    clip: { x, y, width, height: 400 },
  })
  await page.getByRole("button", { name: "Add…" }).click()
  await page.getByRole("textbox", { name: "Name" }).fill("price_checker")
  await takePart(page, ".chart-editor", "studio-add-agent.png", 400)
  await page.keyboard.press("Escape")
  await run(page)
  await page.locator('[data-agents="flight_agent"].is-active').waitFor()
  await page.locator(".event.of-tools").first().waitFor()
  await page.screenshot({ path: picture("studio-run.png"), clip: top(700) })
  await page.locator(".run-status").getByText("completed").waitFor()
  await page.locator('[data-state="hotel_agent"] > .box').click()
  await page.getByText("travel_planner/research/hotel_agent").waitFor()
  await takePart(page, ".tabs:has(table)", "studio-agent.png", 520)
  // The selected agent also filters the events.
  await page.reload()
  await page.locator(".event.of-models").filter({ hasText: "trip_writer" }).click()
  await page.getByRole("button", { name: "Fork before this call…" }).click()
  await page
    .getByLabel("Instruction")
    .fill("Write one travel plan in five lines, with the total price in the last line.")
  await takePart(page, "dialog.fork", "studio-fork.png", 400)
  replaceResponse("travel-planner", "trip_writer", {
    content:
      "14 Nov: DA 51 to Haneda\n15 to 17 Nov: Yanaka, Tsukiji, teamLab\n18 Nov: rest\n19 to 21 Nov: Rikugien, jazz, flight home\nTotal: 2,668 EUR",
    exitFlow: true,
  })
  await page.getByRole("button", { name: "Fork and run" }).click()
  await page.getByRole("region", { name: "Result" }).getByText("Total").waitFor()
  await page.locator(".compare .is-running").waitFor({ state: "detached" })
  await takePart(page, ".compare", "studio-compare.png", 400)
  await open(page, "claims-pipeline/workflow.json")
  await run(page)
  await page.getByRole("button", { name: "Show the failed call" }).click()
  await page.getByText("Prompt", { exact: true }).waitFor()
  await takePart(page, ".run-result", "studio-failure.png", 360)
  await open(page, "human-approval/workflow.json")
  await run(page)
  await page
    .getByLabel("Arguments of pay_invoice")
    .fill(
      JSON.stringify(
        { invoice: "INV-2291", amount: 1840, iban: "DE02 1203 0000 0000 2020 51" },
        null,
        2,
      ),
    )
  await takePart(page, "main", "studio-approval.png", 430)
  const pictures = readdirSync(picture("")).filter((name) => name.endsWith(".png"))
  const quality = ["--quality", "60-90", "--speed", "1", "--strip"]
  execFileSync("pngquant", [...quality, "--force", "--ext", ".png", ...pictures.map(picture)])
} finally {
  await browser.close()
  child.kill("SIGINT")
  await new Promise((resolve) => child.on("close", resolve))
  rmSync(folder, { recursive: true })
}
