import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"

/** A user without a pointer. */
export interface KeyboardUser {
  readonly page: Page
  press(...keys: readonly string[]): Promise<void>
  /**
   * Presses Tab until an element has the focus. Fails if Tab does not reach it, or if the user cannot
   * see the focus on the way.
   */
  tabTo(target: Locator): Promise<void>
  /** Moves the focus to an element and presses Enter. */
  activate(target: Locator): Promise<void>
  /** Moves the focus to a text field and replaces its text. */
  fill(target: Locator, text: string): Promise<void>
}

/** More presses of Tab than a view has elements. */
const maxStops = 250

export function keyboardUser(page: Page): KeyboardUser {
  const press: KeyboardUser["press"] = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const tabTo: KeyboardUser["tabTo"] = async (target) => {
    await target.waitFor()
    const isBefore = await target.evaluate(
      (element) =>
        document.activeElement !== null &&
        (element.compareDocumentPosition(document.activeElement) &
          Node.DOCUMENT_POSITION_FOLLOWING) !==
          0,
    )
    const stops: string[] = []
    while (!(await target.evaluate((element) => element === document.activeElement))) {
      // A locator needs several requests to the browser, so it is not resolved at each stop.
      const handle = await target.elementHandle()
      let focused: Focused
      do {
        expect(stops.length, `Tab does not reach ${target}: ${stops.join(", ")}`).toBeLessThan(
          maxStops,
        )
        await press(isBefore ? "Shift+Tab" : "Tab")
        focused = await page.evaluate(focusedElement, handle)
        stops.push(focused.name)
        // The editor draws its frame after a moment.
        if (!focused.isVisible)
          await expect
            .poll(async () => (await page.evaluate(focusedElement, handle)).isVisible, {
              message: `The focus on ${focused.name} is not visible.`,
            })
            .toBe(true)
      } while (!focused.isTarget && focused.targetExists && stops.length % 20 !== 0)
      await handle?.dispose()
    }
  }
  return {
    page,
    press,
    tabTo,
    async activate(target) {
      await tabTo(target)
      await press("Enter")
    },
    async fill(target, text) {
      await tabTo(target)
      await press("ControlOrMeta+a")
      await page.keyboard.insertText(text)
    },
  }
}

interface Focused {
  readonly name: string
  /** Whether the page shows that the element has the focus. */
  readonly isVisible: boolean
  readonly isTarget: boolean
  /** Whether the target is still in the page. */
  readonly targetExists: boolean
}

/** Returns the focused element, compared with a target. Runs in the page. */
function focusedElement(target: Node | null): Focused {
  const element = document.activeElement ?? document.body
  const label = element.getAttribute("aria-label") ?? element.textContent.slice(0, 30)
  const name = `${element.tagName.toLowerCase()}.${element.className} ${label}`
  const compared = { isTarget: element === target, targetExists: target?.isConnected === true }
  if (element === document.body) return { name, isVisible: true, ...compared }
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const isOnScreen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  // A radio button has its outline at its text, and the editor at its frame.
  const marked = [element, element.nextElementSibling, element.closest(".cm-editor")]
  const hasOutline = marked.some((one) => {
    if (one === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1
  })
  return { name, isVisible: isOnScreen && hasOutline, ...compared }
}
