import type { RefObject } from "preact"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import type { CanvasPoint, CanvasSize, CanvasView } from "./view.js"
import { fitView, keepOnCanvas, openingView, panBy, pinchView, zoomAt } from "./view.js"

/** Distance in pixels that the pointer may move during a click. A longer movement is a drag. */
const clickDistance = 4

/** Distance in pixels by which a press of an arrow key moves the drawing. */
const keyStep = 60

const keyZoom = 1.25

export interface PanZoom {
  readonly view: CanvasView
  readonly canvas: CanvasSize
  /**
   * Whether the drawing is fitted again when the size of the canvas changes. False after the user
   * has moved or scaled the drawing.
   */
  readonly isFitted: boolean
  /**
   * Returns whether the pointer has moved the drawing since it was last pressed. If true, ignore
   * the click event at the end of the movement.
   */
  readonly wasDragged: () => boolean
  readonly show: (change: (view: CanvasView, canvas: CanvasSize) => CanvasView) => void
  readonly zoom: (factor: number) => void
  readonly fit: () => void
  readonly onKey: (event: KeyboardEvent) => void
}

/**
 * Hook that lets the user move and scale a drawing with the wheel, the pointer, two fingers or the
 * keyboard. When `key` changes, the view is reset. If `isReserved` returns true for a press of the
 * pointer, the press does not move the drawing.
 */
export function usePanZoom(
  element: RefObject<HTMLElement | null>,
  drawing: CanvasSize | null,
  key: unknown,
  isReserved: (event: PointerEvent) => boolean,
): PanZoom {
  const reserved = useRef(isReserved)
  reserved.current = isReserved
  const [canvas, setCanvas] = useState<CanvasSize>({ width: 0, height: 0 })
  const [view, setView] = useState<CanvasView>({ x: 0, y: 0, scale: 1 })
  /**
   * How to compute the view again when the size of the canvas changes. `opening` shows the readable
   * beginning of the drawing, and `whole` shows the whole drawing. Null after the user has moved or
   * scaled the drawing, so that the view stays the same.
   */
  const [follows, setFollows] = useState<"opening" | "whole" | null>("opening")
  const dragged = useRef(false)
  const { width = 0, height = 0 } = drawing ?? {}

  useEffect(() => setFollows("opening"), [key])

  useEffect(() => {
    const box = element.current
    if (box === null) return
    const observer = new ResizeObserver(() =>
      setCanvas({ width: box.clientWidth, height: box.clientHeight }),
    )
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])

  useEffect(() => {
    if (follows === null || width === 0 || canvas.width === 0) return
    setView((follows === "whole" ? fitView : openingView)({ width, height }, canvas))
  }, [follows, width, height, canvas, key])

  const show = useCallback(
    (change: (view: CanvasView, canvas: CanvasSize) => CanvasView): void => {
      setFollows(null)
      setView((before) => keepOnCanvas(change(before, canvas), { width, height }, canvas))
    },
    [canvas, width, height],
  )

  useEffect(() => {
    const box = element.current
    if (box === null) return
    const pointOf = ({ clientX, clientY }: MouseEvent): CanvasPoint => {
      const { left, top } = box.getBoundingClientRect()
      return { x: clientX - left, y: clientY - top }
    }
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      // Browsers report pinches of a touchpad as small wheel steps with Ctrl.
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1)
      const speed = event.ctrlKey ? 0.01 : 0.0016
      const limitedStep = Math.max(-240, Math.min(240, pixels))
      show((before) => zoomAt(before, pointOf(event), Math.exp(-limitedStep * speed)))
    }
    const pointers = new Map<number, CanvasPoint>()
    let start: CanvasPoint | null = null
    const onDown = (event: PointerEvent): void => {
      if (event.button !== 0) return
      if (reserved.current(event)) {
        dragged.current = false
        return
      }
      if (pointers.size === 0) {
        start = pointOf(event)
        dragged.current = false
      }
      pointers.set(event.pointerId, pointOf(event))
    }
    const onMove = (event: PointerEvent): void => {
      const before = pointers.get(event.pointerId)
      if (before === undefined || start === null) return
      const now = pointOf(event)
      if (!dragged.current && Math.hypot(now.x - start.x, now.y - start.y) < clickDistance) return
      // The pointer is captured only during a drag, because a click with a captured pointer does
      // not reach the clicked state.
      if (!dragged.current) box.setPointerCapture(event.pointerId)
      dragged.current = true
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      pointers.set(event.pointerId, now)
      show((seen) =>
        other === undefined
          ? panBy(seen, now.x - before.x, now.y - before.y)
          : pinchView(seen, [before, other], [now, other]),
      )
    }
    const onUp = (event: PointerEvent): void => void pointers.delete(event.pointerId)
    box.addEventListener("wheel", onWheel, { passive: false })
    box.addEventListener("pointerdown", onDown)
    box.addEventListener("pointermove", onMove)
    for (const type of ["pointerup", "pointercancel"] as const) box.addEventListener(type, onUp)
    return () => {
      box.removeEventListener("wheel", onWheel)
      box.removeEventListener("pointerdown", onDown)
      box.removeEventListener("pointermove", onMove)
      for (const type of ["pointerup", "pointercancel"] as const)
        box.removeEventListener(type, onUp)
    }
  }, [element, show])

  const zoom = useCallback(
    (factor: number): void =>
      show((before) => zoomAt(before, { x: canvas.width / 2, y: canvas.height / 2 }, factor)),
    [show, canvas],
  )
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [keyStep, 0],
      ArrowRight: [-keyStep, 0],
      ArrowUp: [0, keyStep],
      ArrowDown: [0, -keyStep],
    }
    const move = moves[event.key]
    if (move !== undefined) show((before) => panBy(before, ...move))
    else if (event.key === "+" || event.key === "=") zoom(keyZoom)
    else if (event.key === "-") zoom(1 / keyZoom)
    else if (event.key === "0") setFollows("whole")
    else return
    event.preventDefault()
  }
  return {
    view,
    canvas,
    isFitted: follows !== null,
    wasDragged: () => dragged.current,
    show,
    zoom,
    fit: () => setFollows("whole"),
    onKey,
  }
}
