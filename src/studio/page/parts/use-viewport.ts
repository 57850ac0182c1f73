import { useLayoutEffect, useState } from "preact/hooks"

/** The visible part of the content of a scrollable element, in pixels. */
export interface Viewport {
  readonly top: number
  readonly left: number
  readonly height: number
  readonly width: number
}

/** A range of row indexes in a list. `end` is the index after the last row. */
export interface RowRange {
  readonly first: number
  readonly end: number
}

/**
 * Number of rows that are rendered above the visible rows, and below them. They prevent gaps during
 * scrolling.
 */
const overscan = 8

/**
 * Returns the range of rows to render in a list whose rows all have the same height. It contains
 * the visible rows and some rows near them.
 */
export const renderedRows = (
  { top, height }: Pick<Viewport, "top" | "height">,
  count: number,
  rowHeight: number,
): RowRange => {
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + overscan)
  return { first: Math.min(end, Math.max(0, Math.floor(top / rowHeight) - overscan)), end }
}

/**
 * Hook that returns the visible part of the content of the element `container`. The component is
 * rendered again when the element is scrolled or resized.
 */
export function useViewport(container: { readonly current: HTMLElement | null }): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, height: 600, width: 600 })
  useLayoutEffect(() => {
    const element = container.current
    if (element === null) return
    const measure = (): void => {
      const { scrollTop: top, scrollLeft: left, clientHeight: height, clientWidth: width } = element
      setViewport((before) =>
        before.top === top &&
        before.left === left &&
        before.height === height &&
        before.width === width
          ? before
          : { top, left, height, width },
      )
    }
    measure()
    element.addEventListener("scroll", measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener("scroll", measure)
      observer.disconnect()
    }
  }, [])
  return viewport
}
