/**
 * Returns the layout problems of a page on a phone: a page that scrolls sideways, elements that are cut
 * off at the edge of the screen, and touch targets below 24 x 24 pixels (WCAG 2.5.8). Runs in the page.
 */
export function layoutProblems(): readonly string[] {
  const smallest = 24
  const problems: string[] = []
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(
      element.getAttribute("aria-label") ?? element.textContent
    ).slice(0, 40)}"`
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) problems.push(`the page is ${scrollWidth} pixels wide`)
  /** Whether an element is inside an element that scrolls sideways or moves, such as a drawing. */
  const isScrolled = (element: Element): boolean => {
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at)
      if (overflowX !== "visible" && at.scrollWidth > at.clientWidth) return true
    }
    return false
  }
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  }
  const dialog = document.querySelector("dialog[open]")
  const scope = dialog ?? document.body
  // The states of a drawing are scaled with it, and the width of a bar is the duration of its call.
  const others = ".drawing *, .minimap, .call-bar, .cm-editor *"
  for (const element of scope.querySelectorAll(
    "button, input, select, textarea, summary, a, p, h1, h2, h3, dt, dd, li, label",
  )) {
    if (element.matches(others) || !isShown(element)) continue
    const { left, right } = element.getBoundingClientRect()
    if ((left < -0.5 || right > innerWidth + 0.5) && !isScrolled(element))
      problems.push(`${nameOf(element)} is cut off: ${Math.round(left)} to ${Math.round(right)}`)
  }
  for (const element of scope.querySelectorAll("button, input, select, textarea, summary, a")) {
    if (element.matches(others) || !isShown(element)) continue
    // A link in a sentence is as high as its line.
    if (element.matches("p a, .answer a")) continue
    // The label of a checkbox is a part of its target.
    const { width, height } = (
      element.matches("[type=checkbox], [type=radio]")
        ? (element.closest("label") ?? element)
        : element
    ).getBoundingClientRect()
    if (width < smallest || height < smallest)
      problems.push(`${nameOf(element)} is ${Math.round(width)} x ${Math.round(height)}`)
  }
  return problems
}
