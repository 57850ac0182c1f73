import { existsSync } from "node:fs"
import type { Browser } from "playwright-core"
import { chromium } from "playwright-core"

const known = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

const found = known.find((path) => path !== "" && existsSync(path)) ?? null

/** Why tests in a browser cannot run here; null where they can. */
export const noBrowser: string | null = found === null ? "there is no Chromium: install Debian's package chromium, or say where one is in CHROMIUM" : null

if (noBrowser !== null) console.warn(`Tests in a browser are skipped: ${noBrowser}.`)

/** Whoever opens it closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(found === null ? {} : { executablePath: found }), args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] })
