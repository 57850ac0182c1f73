import type { Browser, Page } from "playwright-core"
import type { TestContext } from "vitest"
import { onTestFinished } from "vitest"
import { findBrowser, launchBrowser, whyNoBrowser } from "./launch-browser.mjs"

/** The reason why tests in a browser cannot run, or null if they can. */
export const noBrowser: string | null = findBrowser() === null ? whyNoBrowser : null

if (noBrowser !== null) console.warn(`Tests in a browser are skipped: ${noBrowser}.`)

let shared: Promise<Browser> | null = null

/**
 * Returns the browser that all files of this process share. Starting a browser takes a second. The browser ends with the
 * process. A caller closes its pages, and with them their cookies and storage.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (shared !== null && !(await shared).isConnected()) shared = null
  shared ??= launchBrowser()
  return shared
}

/** How a lent page is shown. */
export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: "light" | "dark"
}

/** Pages that were returned and can be lent again. */
const idle: Page[] = []

/**
 * Lends a page without motion to a test. A page that an earlier test returned is lent again, because a new page starts a
 * process, which takes longer than most tests. `returnPage` takes it back.
 */
export async function lendPage({
  width = 1280,
  height = 800,
  colorScheme = "light",
}: PageOptions = {}): Promise<Page> {
  const browser = await sharedBrowser()
  const returned = idle.pop()
  const page =
    returned?.context().browser() === browser
      ? returned
      : await (await browser.newContext()).newPage()
  // A busy machine is slow. The timeout of the test is longer.
  page.setDefaultTimeout(200_000)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  return page
}

/** Takes a page back: removes its listeners, routes and storage, and closes the pages that it opened. A closed page is dropped. */
export async function returnPage(page: Page): Promise<void> {
  if (page.isClosed()) return
  await page.removeAllListeners(undefined, { behavior: "wait" })
  // A page with unsaved changes opens a dialog when it is left.
  page.on("dialog", (dialog) => void dialog.accept())
  await page.unrouteAll({ behavior: "wait" })
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  // A blank page has no storage.
  if (page.url().startsWith("http"))
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
  await context.clearCookies()
  await page.goto("about:blank")
  page.removeAllListeners()
  idle.push(page)
}

export interface OpenedPage {
  readonly page: Page
  /** The problems of the page so far: uncaught errors, and errors that it wrote to the console. */
  readonly problems: readonly string[]
}

/** Opens a page for one test. Skips the test with a reason if there is no browser. */
export async function openPage(
  context: Pick<TestContext, "skip">,
  url: string,
): Promise<OpenedPage> {
  if (noBrowser !== null) return context.skip(noBrowser)
  const page = await lendPage()
  onTestFinished(() => returnPage(page))
  const problems: string[] = []
  page.on("pageerror", ({ message }) => problems.push(message))
  page.on(
    "console",
    (message) => void (message.type() === "error" && problems.push(message.text())),
  )
  await page.goto(url)
  return { page, problems }
}
