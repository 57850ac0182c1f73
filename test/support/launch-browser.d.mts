import type { Browser } from "playwright-core"

/** Returns the path of a browser: the value of `CHROMIUM`, or the first Chromium on the path. */
export function findBrowser(): string | null

/** The reason why no browser can be launched if `findBrowser` returns null, and the fix. */
export const whyNoBrowser: string

/**
 * Launches a browser that draws without a GPU, like the browser of a CI machine. The caller closes
 * it. Throws if there is no browser.
 */
export function launchBrowser(options?: readonly string[]): Promise<Browser>
