import { useMemo } from "preact/hooks"
import type { DrawnState } from "./drawn-states.js"
import type { CanvasPoint, CanvasSize, CanvasView } from "./view.js"
import { visibleBox } from "./view.js"

interface MinimapProps {
  readonly states: readonly DrawnState[]
  readonly drawing: CanvasSize
  readonly canvas: CanvasSize
  readonly view: CanvasView
  /** Called with the point of the drawing that the user has clicked in the minimap. */
  readonly onMove: (center: CanvasPoint) => void
}

/** Maximum size of the minimap in pixels. */
const largest = { width: 168, height: 120 }

/**
 * Component that shows a small version of the whole drawing, with a frame around the visible part.
 * The minimap is hidden from assistive technologies, because the arrow keys already move the
 * drawing.
 */
export function Minimap({ states, drawing, canvas, view, onMove }: MinimapProps) {
  const shapes = useMemo(
    () =>
      states.map(({ id, box, look, isContainer }) => (
        <rect key={id} class={isContainer ? `of-${look} is-container` : `of-${look}`} {...box} />
      )),
    [states],
  )
  const scale = Math.min(
    Math.min(largest.width, canvas.width / 4) / drawing.width,
    Math.min(largest.height, canvas.height / 3) / drawing.height,
  )
  const seen = visibleBox(view, canvas)
  const move = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void => {
    if (event.buttons !== 1) return
    const { left, top } = event.currentTarget.getBoundingClientRect()
    event.currentTarget.setPointerCapture(event.pointerId)
    onMove({ x: (event.clientX - left) / scale, y: (event.clientY - top) / scale })
  }
  return (
    <svg
      class="minimap"
      aria-hidden="true"
      width={drawing.width * scale}
      height={drawing.height * scale}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      onPointerDown={move}
      onPointerMove={move}
    >
      {shapes}
      <rect class="seen" {...seen} rx={4 / scale} />
    </svg>
  )
}
