import axe from "axe-core"
import type { Page } from "playwright-core"

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

interface AxePage {
  readonly axe: {
    run(part: string, options: { readonly resultTypes: readonly string[] }): Promise<AxeResults>
  }
}

/**
 * Returns the violations that axe finds in a part of a page, each with the places of its first five
 * elements.
 */
export async function axeViolations(page: Page, part = "body"): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (selector) =>
      // axe adds itself to the page. It describes the elements of the other results only on request.
      (globalThis as unknown as AxePage).axe.run(selector, { resultTypes: ["violations"] }),
    part,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 5)
        .map(({ target }) => target.join(" "))
        .join(", ")}`,
  )
}
