import axe from "axe-core"
import type { Page } from "playwright-core"

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

/**
 * Returns the violations that axe finds in a part of a page, each with the places of its first five
 * elements.
 */
export async function axeViolations(page: Page, part = "body"): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (selector) =>
      // axe adds itself to the page.
      (globalThis as unknown as { axe: { run(part: string): Promise<AxeResults> } }).axe.run(
        selector,
      ),
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
