import { useState } from "preact/hooks"

interface SplitterProps {
  /** Name of the splitter for screen readers, for example `Height of the lower panel`. */
  readonly label: string
  /** A `vertical` splitter separates columns, and a `horizontal` splitter separates rows. */
  readonly orientation: "vertical" | "horizontal"
  /**
   * Size of the panel to the right of the splitter or below it, in percent of the available space.
   */
  readonly size: number
  readonly onResize: (size: number) => void
}

/** Minimum size of a panel, in percent of the available space. */
export const minPanelSize = 15
export const maxPanelSize = 80

/** Distance by which an arrow key moves a splitter, in percent of the available space. */
const keyStep = 2

/**
 * Bar with which the user resizes the panel to its right or below it. The user moves it with the
 * pointer or the arrow keys.
 */
export function Splitter({ label, orientation, size, onResize }: SplitterProps) {
  const isVertical = orientation === "vertical"
  const [drag, setDrag] = useState<{ readonly from: number; readonly size: number } | null>(null)
  const resize = (next: number): void =>
    onResize(Math.round(10 * Math.min(Math.max(next, minPanelSize), maxPanelSize)) / 10)
  const positionOf = ({ clientX, clientY }: PointerEvent): number =>
    isVertical ? clientX : clientY
  const onKeyDown = (event: KeyboardEvent): void => {
    const [grow, shrink] = isVertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"]
    const next =
      event.key === grow
        ? size + keyStep
        : event.key === shrink
          ? size - keyStep
          : { Home: minPanelSize, End: maxPanelSize }[event.key]
    if (next === undefined) return
    event.preventDefault()
    resize(next)
  }
  return (
    <div
      class={`splitter is-${orientation}${drag === null ? "" : " is-dragged"}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(size)}
      aria-valuemin={minPanelSize}
      aria-valuemax={maxPanelSize}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: positionOf(event), size })
      }}
      onPointerMove={(event) => {
        const { parentElement } = event.currentTarget
        if (drag === null || parentElement === null) return
        const whole = isVertical ? parentElement.clientWidth : parentElement.clientHeight
        resize(drag.size + (100 * (drag.from - positionOf(event))) / whole)
      }}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
    />
  )
}
