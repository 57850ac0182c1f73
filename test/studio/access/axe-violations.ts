import axe from "axe-core"
import type { Page } from "playwright-core"

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

interface AxePage {
  readonly axe: { run(part: string, options: object): Promise<AxeResults> }
}

/**
 * Returns the violations that axe finds in a part of a page, each with the selectors of its first five
 * elements. If `rule` is set, only this rule is checked.
 */
export async function axeViolations(
  page: Page,
  part = "body",
  rule: string | null = null,
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
  // axe describes the elements of the other results only on request.
  const options = {
    resultTypes: ["violations"],
    ...(rule !== null && { runOnly: { type: "rule", values: [rule] } }),
  }
  const { violations } = await page.evaluate(
    ([selector, given]) =>
      // axe adds itself to the page.
      (globalThis as unknown as AxePage).axe.run(selector, given),
    [part, options] as const,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 5)
        .map(({ target }) => target.join(" "))
        .join(", ")}`,
  )
}

/** Returns the violations of a page in both color schemes. Only its colors depend on the scheme. */
export async function axeViolationsInBothSchemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "light" })
  const light = await axeViolations(page)
  await page.emulateMedia({ colorScheme: "dark" })
  const dark = await axeViolations(page, "body", "color-contrast")
  return [...light, ...dark.map((violation) => `dark: ${violation}`)]
}
