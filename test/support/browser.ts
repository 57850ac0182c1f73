import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { chromium } from "playwright-core"
import type { TestContext } from "vitest"
import { onTestFinished } from "vitest"

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser of this machine: what `CHROMIUM` names, else a Chromium on the path. */
function findBrowser(): string | null {
  const named = process.env["CHROMIUM"]
  if (named !== undefined && named !== "") return named
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  return (
    folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram) ?? null
  )
}

const found = findBrowser()

/** Why tests in a browser cannot run here; null where they can. */
export const noBrowser: string | null =
  found === null
    ? "there is no browser here: apt-get install chromium, or set CHROMIUM to one"
    : null

if (noBrowser !== null) console.warn(`Tests in a browser are skipped: ${noBrowser}.`)

/** Opens a browser with options of its own. The caller closes it. */
export const openBrowser = (options: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    ...(found === null ? {} : { executablePath: found }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", ...options],
  })

let shared: Promise<Browser> | null = null

/**
 * Returns the browser that all files of this process share. Starting a browser takes a second. The browser ends with the
 * process. A caller closes its pages, and with them their cookies and storage.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (shared !== null && !(await shared).isConnected()) shared = null
  shared ??= openBrowser()
  return shared
}

export interface OpenedPage {
  readonly page: Page
  /** What the page complained about so far: errors that nobody caught, and what it wrote to the console as an error. */
  readonly problems: readonly string[]
}

/** Opens a page for one test, which is skipped, saying why, where there is no browser. */
export async function openPage(
  context: Pick<TestContext, "skip">,
  url: string,
): Promise<OpenedPage> {
  if (noBrowser !== null) return context.skip(noBrowser)
  const page = await (await sharedBrowser()).newPage()
  onTestFinished(() => page.close())
  const problems: string[] = []
  page.on("pageerror", ({ message }) => problems.push(message))
  page.on(
    "console",
    (message) => void (message.type() === "error" && problems.push(message.text())),
  )
  await page.goto(url)
  return { page, problems }
}
