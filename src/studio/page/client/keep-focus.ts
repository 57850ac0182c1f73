/**
 * Prevents the loss of the keyboard focus inside an element. If the focused element is removed, for
 * example a form after it was sent, the focus moves to the nearest remaining ancestor that can have
 * it. Otherwise, screen readers and the keyboard would start again at the top of the page. Returns
 * a function that ends this behavior.
 */
export function keepFocus(root: HTMLElement): () => void {
  /** The focused element and its ancestors that can have the focus, innermost first. */
  let around: readonly HTMLElement[] = []
  const onFocus = ({ target }: FocusEvent): void => {
    around = target instanceof Element ? focusableAround(target, root) : []
  }
  const observer = new MutationObserver(() => {
    const [focused] = around
    if (focused === undefined || focused.isConnected || document.activeElement !== document.body)
      return
    around.find((element) => element.isConnected)?.focus({ preventScroll: true })
  })
  root.addEventListener("focusin", onFocus)
  observer.observe(root, { childList: true, subtree: true })
  return () => {
    root.removeEventListener("focusin", onFocus)
    observer.disconnect()
  }
}

function focusableAround(element: Element, root: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = []
  for (
    let ancestor: Element | null = element;
    ancestor !== null;
    ancestor = ancestor.parentElement
  ) {
    if (
      ancestor instanceof HTMLElement &&
      (ancestor === element || ancestor.hasAttribute("tabindex"))
    )
      found.push(ancestor)
    if (ancestor === root) break
  }
  return found
}
