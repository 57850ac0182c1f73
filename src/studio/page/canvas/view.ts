/** A point in pixels, either in a drawing or on the canvas that shows the drawing. */
export interface CanvasPoint {
  readonly x: number
  readonly y: number
}

export interface CanvasSize {
  readonly width: number
  readonly height: number
}

export interface CanvasBox extends CanvasPoint, CanvasSize {}

/**
 * The position and scale of a drawing on its canvas. The drawing's point `p` is shown at the canvas
 * point `p * scale + (x, y)`.
 */
export interface CanvasView extends CanvasPoint {
  readonly scale: number
}

const minScale = 0.05
const maxScale = 4

/** Space between a fitted drawing and the border of the canvas, in pixels. */
const border = 16

/**
 * Maximum scale of a drawing that is fitted to the canvas, so that small drawings are not enlarged
 * much.
 */
const largestFit = 1.1

/** Minimum scale at which the texts of a drawing are readable. */
const readableScale = 0.4

/**
 * Minimum and maximum initial scale of a drawing whose texts would not be readable if the whole
 * drawing were shown.
 */
const partScale = { from: 0.5, to: 0.75 }

const limited = (value: number, from: number, to: number): number =>
  Math.min(Math.max(value, from), to)

/** Returns the view that shows the whole drawing in the center of the canvas. */
export function fitView(drawing: CanvasSize, canvas: CanvasSize): CanvasView {
  const scale = limited(
    Math.min(
      (canvas.width - 2 * border) / drawing.width,
      (canvas.height - 2 * border) / drawing.height,
    ),
    minScale,
    largestFit,
  )
  return {
    x: (canvas.width - drawing.width * scale) / 2,
    y: (canvas.height - drawing.height * scale) / 2,
    scale,
  }
}

/**
 * Returns the initial view of a drawing. If the texts are readable in a view of the whole drawing,
 * this view is used. Otherwise the view shows the beginning of the drawing at a readable scale.
 */
export function openingView(drawing: CanvasSize, canvas: CanvasSize): CanvasView {
  const whole = fitView(drawing, canvas)
  if (whole.scale >= readableScale) return whole
  const wide = (canvas.width - 2 * border) / drawing.width
  const scale = limited(wide, partScale.from, partScale.to)
  const start = (shown: number, room: number, center: boolean): number =>
    shown + 2 * border <= room ? (room - shown) / 2 : center ? (room - shown) / 2 : border
  // A chart that runs downwards begins in the middle of its upper edge.
  const isTall = drawing.height > drawing.width
  return {
    x: start(drawing.width * scale, canvas.width, isTall),
    y: start(drawing.height * scale, canvas.height, !isTall),
    scale,
  }
}

/**
 * Returns the view with its scale multiplied by `factor`. The part of the drawing at the canvas
 * point `point` does not move.
 */
export function zoomAt(view: CanvasView, point: CanvasPoint, factor: number): CanvasView {
  const scale = limited(view.scale * factor, minScale, maxScale)
  const share = scale / view.scale
  return { x: point.x - (point.x - view.x) * share, y: point.y - (point.y - view.y) * share, scale }
}

export const panBy = (view: CanvasView, dx: number, dy: number): CanvasView => ({
  ...view,
  x: view.x + dx,
  y: view.y + dy,
})

/** The positions of two fingers that touch the canvas. */
export type Pinch = readonly [CanvasPoint, CanvasPoint]

/**
 * Returns the view after a pinch gesture, in which two fingers have moved from `before` to `after`.
 */
export function pinchView(view: CanvasView, before: Pinch, after: Pinch): CanvasView {
  const [from, to] = [middle(before), middle(after)]
  const distance = spread(before)
  const moved = panBy(view, to.x - from.x, to.y - from.y)
  return distance === 0 ? moved : zoomAt(moved, to, spread(after) / distance)
}

const middle = ([one, other]: Pinch): CanvasPoint => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
})

const spread = ([one, other]: Pinch): number => Math.hypot(one.x - other.x, one.y - other.y)

/**
 * Returns a view in which a box of the drawing is centered on the canvas. The scale is at least
 * `minimum`, unless the box would not fit.
 */
export function centerOn(
  view: CanvasView,
  box: CanvasBox,
  canvas: CanvasSize,
  minimum = 0.8,
): CanvasView {
  const whole = Math.min(canvas.width / box.width, canvas.height / box.height) * 0.9
  const scale = limited(Math.min(Math.max(view.scale, minimum), whole), minScale, maxScale)
  return {
    x: canvas.width / 2 - (box.x + box.width / 2) * scale,
    y: canvas.height / 2 - (box.y + box.height / 2) * scale,
    scale,
  }
}

/** Returns the part of the drawing that is visible on the canvas. */
export const visibleBox = (view: CanvasView, canvas: CanvasSize): CanvasBox => ({
  x: -view.x / view.scale,
  y: -view.y / view.scale,
  width: canvas.width / view.scale,
  height: canvas.height / view.scale,
})

/** Returns whether a box in the drawing is completely visible on the canvas. */
export function showsBox(view: CanvasView, box: CanvasBox, canvas: CanvasSize): boolean {
  const seen = visibleBox(view, canvas)
  return (
    box.x >= seen.x &&
    box.y >= seen.y &&
    box.x + box.width <= seen.x + seen.width &&
    box.y + box.height <= seen.y + seen.height
  )
}

/**
 * Minimum size in pixels of the part of a drawing that must stay visible on the canvas. The user
 * cannot move the drawing further out.
 */
const kept = 48

/**
 * Returns the view, moved if necessary, so that a part of the drawing stays visible on the canvas.
 */
export const keepOnCanvas = (
  view: CanvasView,
  drawing: CanvasSize,
  canvas: CanvasSize,
): CanvasView => ({
  ...view,
  x: limited(view.x, kept - drawing.width * view.scale, canvas.width - kept),
  y: limited(view.y, kept - drawing.height * view.scale, canvas.height - kept),
})
