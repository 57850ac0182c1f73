import { useLayoutEffect, useState } from "preact/hooks"

/** The inner size of an element in pixels, without its scroll bars. */
interface ElementSize {
  readonly width: number
  readonly height: number
}

/** Returns the size of an element, and updates it when the element is resized. */
export function useElementSize(place: { readonly current: HTMLElement | null }): ElementSize {
  const [size, setSize] = useState<ElementSize>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) =>
        before.width === width && before.height === height ? before : { width, height },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return size
}
