import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { chromium } from "playwright-core"

/** The headless shell is the first because it starts in less than half of the CPU time. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
]

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function findBrowser() {
  const named = process.env["CHROMIUM"]
  if (named !== undefined && named !== "") return named
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  return (
    names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null
  )
}

export const whyNoBrowser =
  "there is no browser here: apt-get install chromium-headless-shell, or set CHROMIUM to one"

export function launchBrowser(options = []) {
  const executablePath = findBrowser()
  if (executablePath === null) throw new Error(whyNoBrowser)
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", ...options],
  })
}
