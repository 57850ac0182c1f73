import type { ComponentChildren, Ref } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import "./virtual-list.css"

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** Height of each row in pixels. */
  readonly rowHeight: number
  readonly renderRow: (index: number) => ComponentChildren
  /** The row that must be visible. Scrolls when it changes. */
  readonly shown?: number | null
  /** Whether the list stays at its end while rows are added. */
  readonly isFollowing?: boolean
  /** Called when the user scrolls to the end or away from it. */
  readonly onFollow?: (isFollowing: boolean) => void
}

/** Number of rows that are rendered above and below the visible rows. */
const overscan = 8

/** A list of rows of the same height. Only the visible rows are in the document. */
export function VirtualList({
  label,
  count,
  rowHeight,
  renderRow,
  shown = null,
  isFollowing = false,
  onFollow,
}: VirtualListProps) {
  const place = useRef<HTMLDivElement>(null)
  const { top, height } = useViewport(place)
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + overscan)

  useLayoutEffect(() => {
    if (isFollowing && place.current !== null) place.current.scrollTop = count * rowHeight
  }, [isFollowing, count, rowHeight, height])

  useEffect(() => {
    const list = place.current
    if (list === null || shown === null) return
    const rowTop = shown * rowHeight
    if (rowTop < list.scrollTop || rowTop + rowHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = rowTop - list.clientHeight / 2
  }, [shown])

  return (
    <div
      class="virtual-list"
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={({ currentTarget: list }) =>
        onFollow?.(list.scrollTop + list.clientHeight >= list.scrollHeight - rowHeight / 2)
      }
    >
      <ol style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => (
          <li
            key={first + offset}
            aria-setsize={count}
            aria-posinset={first + offset + 1}
            style={{ top: `${(first + offset) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {renderRow(first + offset)}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Returns the scroll position and the height of an element. */
function useViewport(place: Ref<HTMLDivElement> & { readonly current: HTMLDivElement | null }): {
  readonly top: number
  readonly height: number
} {
  const [viewport, setViewport] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = (): void =>
      setViewport((before) =>
        before.top === element.scrollTop && before.height === element.clientHeight
          ? before
          : { top: element.scrollTop, height: element.clientHeight },
      )
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
