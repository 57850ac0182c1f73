import type { Box, PlacedLevel, Point, Size, WrittenState } from "./geometry.js"

/**
 * Swaps width and height. A layout from left to right is computed as a layout from top to bottom
 * with swapped sizes.
 */
export const transposeSize = <T extends Size>(size: T): T => ({
  ...size,
  width: size.height,
  height: size.width,
})

const transposePoint = <T extends Point>(point: T): T => ({ ...point, x: point.y, y: point.x })

export const transposeBox = <T extends Box>(box: T): T => transposePoint(transposeSize(box))

/** Swaps the x and y axes of a layout. The contents of the states are not changed. */
export const transposeLevel = (level: PlacedLevel): PlacedLevel => ({
  ...transposeBox(level),
  states: level.states.map(transposeBox),
  marks: level.marks.map(transposeBox),
  arrows: level.arrows.map((arrow) => ({
    ...arrow,
    points: arrow.points.map(transposePoint),
    label: arrow.label === null ? null : transposeBox(arrow.label),
  })),
})

export const transposeStates = (states: readonly WrittenState[]): readonly WrittenState[] =>
  states.map(transposeSize)
