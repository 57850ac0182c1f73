import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { PageOptions } from "../support/browser.js"
import { lendPage, returnPage } from "../support/browser.js"
import type { TestStudio } from "./test-studio.js"
import { startTestStudio } from "./test-studio.js"

/** A studio and its folder, which the tests of one file share. */
export interface StudioFolder {
  readonly studio: TestStudio
  /** Path of the folder with the workflows. */
  readonly folder: string
  /** Copies an example into the folder. */
  addExample(name: string): void
  /** Writes a file. Values other than texts are written as JSON. */
  write(path: string, content: unknown): void
  /** Opens a page with `name` in its fragment, for example `/file/a.json`. */
  open(name?: string, options?: PageOptions): Promise<StudioPage>
  /** The file that stores the address of the studio. */
  readonly addressFile: string
  /** Stops the studio and starts another one with the same folder and journal, and more options. */
  restart(options?: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** A page of the studio in the browser. */
export interface StudioPage {
  readonly page: Page
  /** Starts a run with the form, and waits until the page shows the run. */
  run(): Promise<void>
  statusIs(wanted: string): Promise<unknown>
  /** Closes the page and checks that it reported no errors and loaded nothing from other hosts. */
  close(): Promise<void>
}

export async function studioFolder(options: readonly string[] = []): Promise<StudioFolder> {
  const place = mkdtempSync(join(tmpdir(), "studio-folder-"))
  const folder = join(place, "work")
  mkdirSync(folder)
  const start = (more: readonly string[] = []): Promise<TestStudio> =>
    startTestStudio(folder, join(place, "runs"), [...options, ...more])
  let studio = await start()
  return {
    get studio() {
      return studio
    },
    addressFile: join(place, "runs.studio.json"),
    async restart(more) {
      await studio.stop()
      studio = await start(more)
    },
    folder,
    addExample: (name) =>
      cpSync(join(projectFolder, "examples", name), join(folder, name), { recursive: true }),
    write(path, content) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2))
    },
    async open(name, pageOptions) {
      const opened = await newPage(pageOptions)
      await opened.page.goto(name === undefined ? studio.url : `${studio.url}#${name}`)
      return opened
    },
    async stop() {
      await studio.stop()
      rmSync(place, { recursive: true })
    },
  }
}

async function newPage(options?: PageOptions): Promise<StudioPage> {
  const page = await lendPage(options)
  const problems: string[] = []
  page.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) problems.push(request.url())
  })
  page.on("pageerror", ({ message }) => problems.push(message))
  page.on("console", (message) => {
    // The browser also reports each response with an error status.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text())
  })
  return {
    page,
    async run() {
      await page.getByRole("button", { name: "Run", exact: true }).click()
      await page.locator(".run-view").waitFor()
    },
    statusIs: (wanted) =>
      page.locator(".run-view strong", { hasText: new RegExp(`^${wanted}$`) }).waitFor(),
    async close() {
      expect(problems).toEqual([])
      await returnPage(page)
    },
  }
}
