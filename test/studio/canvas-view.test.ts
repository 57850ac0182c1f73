import { describe, expect, test } from "vitest"
import type { CanvasPoint, CanvasView } from "../../src/studio/page/canvas/view.js"
import {
  centerOn,
  fitView,
  keepOnCanvas,
  openingView,
  panBy,
  pinchView,
  showsBox,
  visibleBox,
  zoomAt,
} from "../../src/studio/page/canvas/view.js"

const canvas = { width: 800, height: 600 }
const view: CanvasView = { x: 40, y: -30, scale: 0.8 }

const onCanvas = ({ x, y, scale }: CanvasView, point: CanvasPoint): CanvasPoint => ({
  x: point.x * scale + x,
  y: point.y * scale + y,
})

const inDrawing = ({ x, y, scale }: CanvasView, point: CanvasPoint): CanvasPoint => ({
  x: (point.x - x) / scale,
  y: (point.y - y) / scale,
})

describe("the view of a canvas", () => {
  test.each([0.3, 1.7])("the point under the pointer does not move at a zoom of %f", (factor) => {
    const pointer = { x: 210, y: 90 }
    const zoomed = zoomAt(view, pointer, factor)
    expect(zoomed.scale).toBeCloseTo(view.scale * factor)
    const point = onCanvas(zoomed, inDrawing(view, pointer))
    expect(point.x).toBeCloseTo(pointer.x)
    expect(point.y).toBeCloseTo(pointer.y)
  })

  test("the scale has limits, and a zoom at a limit does not change the view", () => {
    const pointer = { x: 100, y: 100 }
    const largest = zoomAt(view, pointer, 1e6)
    expect(zoomAt(largest, pointer, 2)).toEqual(largest)
    expect(zoomAt(view, pointer, 1e-6).scale).toBeGreaterThan(0)
  })

  test("both fingers of a pinch stay on their points of the drawing", () => {
    const before = [
      { x: 100, y: 100 },
      { x: 200, y: 100 },
    ] as const
    const after = [
      { x: 80, y: 140 },
      { x: 260, y: 140 },
    ] as const
    const pinched = pinchView(view, before, after)
    for (const finger of [0, 1] as const) {
      const point = onCanvas(pinched, inDrawing(view, before[finger]))
      expect(point.x).toBeCloseTo(after[finger].x)
      expect(point.y).toBeCloseTo(after[finger].y)
    }
  })

  test("fit shows the whole drawing in the center, and enlarges a small drawing by at most 10 %", () => {
    const large = { width: 3000, height: 500 }
    const fitted = fitView(large, canvas)
    expect(showsBox(fitted, { x: 0, y: 0, ...large }, canvas)).toBe(true)
    expect(onCanvas(fitted, { x: 1500, y: 250 })).toEqual({ x: 400, y: 300 })
    expect(fitView({ width: 100, height: 50 }, canvas).scale).toBeLessThanOrEqual(1.1)
  })

  test("a drawing that is too tall for the canvas opens at its top in a readable size", () => {
    const tall = { width: 700, height: 9000 }
    const opened = openingView(tall, canvas)
    expect(opened.scale).toBeGreaterThanOrEqual(0.5)
    expect(onCanvas(opened, { x: 350, y: 0 })).toEqual({ x: 400, y: 16 })
    const small = { width: 400, height: 300 }
    expect(openingView(small, canvas)).toEqual(fitView(small, canvas))
  })

  test("a found state is centered in a readable size", () => {
    const box = { x: 900, y: 4000, width: 120, height: 60 }
    const found = centerOn({ x: 0, y: 0, scale: 0.07 }, box, canvas)
    expect(found.scale).toBeGreaterThanOrEqual(0.8)
    expect(onCanvas(found, { x: 960, y: 4030 })).toEqual({ x: 400, y: 300 })
    // A container that is larger than the canvas is shown completely.
    const holder = { x: 0, y: 0, width: 4000, height: 2000 }
    expect(showsBox(centerOn(view, holder, canvas), holder, canvas)).toBe(true)
  })

  test("the visible box is the part of the drawing that the view shows", () => {
    const seen = visibleBox(view, canvas)
    expect(onCanvas(view, seen)).toEqual({ x: 0, y: 0 })
    expect(showsBox(view, seen, canvas)).toBe(true)
    expect(showsBox(view, { ...seen, width: seen.width + 1 }, canvas)).toBe(false)
  })

  test("a part of the drawing stays on the canvas, however far it is moved", () => {
    const drawing = { width: 500, height: 400 }
    for (const [dx, dy] of [
      [1e5, 1e5],
      [-1e5, -1e5],
    ] as const) {
      const { x, y, scale } = keepOnCanvas(panBy(view, dx, dy), drawing, canvas)
      expect(x).toBeLessThan(canvas.width)
      expect(y).toBeLessThan(canvas.height)
      expect(x + drawing.width * scale).toBeGreaterThan(0)
      expect(y + drawing.height * scale).toBeGreaterThan(0)
    }
  })
})
