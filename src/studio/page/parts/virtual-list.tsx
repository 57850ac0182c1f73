import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { renderedRows, useViewport } from "./use-viewport.js"
import "./virtual-list.css"

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** Height of a row in pixels. All rows have the same height. */
  readonly rowHeight: number
  readonly renderRow: (index: number) => ComponentChildren
  /** Index of the selected row, which is scrolled into view. Null if no row is selected. */
  readonly selected: number | null
  readonly onSelect: (index: number) => void
  /** Whether the list automatically scrolls to its end when rows are added. */
  readonly isFollowing: boolean
  /**
   * Called with true when the user scrolls to the end of the list, and with false when the user
   * scrolls away from the end.
   */
  readonly onFollow: (isFollowing: boolean) => void
}

/**
 * Component for a long list of rows with equal height. The user selects a row with the pointer or
 * the arrow keys. For speed, only the visible rows are rendered.
 */
export function VirtualList({
  label,
  count,
  rowHeight,
  renderRow,
  selected,
  onSelect,
  isFollowing,
  onFollow,
}: VirtualListProps) {
  const id = useId()
  const container = useRef<HTMLDivElement>(null)
  const viewport = useViewport(container)
  const { height } = viewport
  const { first, end } = renderedRows(viewport, count, rowHeight)
  const isRendered = selected !== null && selected >= first && selected < end

  useLayoutEffect(() => {
    if (isFollowing && container.current !== null) container.current.scrollTop = count * rowHeight
  }, [isFollowing, count, rowHeight, height])

  useEffect(() => {
    const list = container.current
    if (list === null || selected === null) return
    const rowTop = selected * rowHeight
    if (rowTop < list.scrollTop) list.scrollTop = rowTop
    else if (rowTop + rowHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = rowTop + rowHeight - list.clientHeight
  }, [selected, height])

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const from = selected ?? (event.key === "ArrowUp" ? count : -1)
    const next = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (next === undefined || count === 0) return
    event.preventDefault()
    onSelect(Math.min(Math.max(next, 0), count - 1))
  }
  return (
    <div
      class="virtual-list"
      ref={container}
      tabIndex={0}
      role="listbox"
      aria-label={label}
      aria-activedescendant={isRendered ? `${id}-${selected}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: list }) =>
        onFollow(list.scrollTop + list.clientHeight >= list.scrollHeight - rowHeight / 2)
      }
    >
      <div class="virtual-rows" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: end - first }, (_, offset) => {
          const index = first + offset
          return (
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === selected}
              aria-setsize={count}
              aria-posinset={index + 1}
              class="virtual-row"
              style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
              onClick={() => onSelect(index)}
            >
              {renderRow(index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
