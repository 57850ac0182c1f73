import type { Level, Picture, PictureState } from "../picture/picture.js"
import type { LayoutEngine } from "./layout-engine.js"
import type { DrawingDirection } from "../picture/picture.js"
import { layOutLevel } from "./lay-out-level.js"
import { levelArrows, parentsOf } from "./level-arrows.js"
import { measures } from "./measures.js"
import { packBoxes } from "./pack-boxes.js"
import type { PlacedLevel, PlacedPicture, PlacedState, Size, WrittenState } from "./geometry.js"
import { transposeBox, transposeSize } from "./transpose.js"
import { writeState } from "./write-state.js"

const { gap, padding } = measures

/**
 * Computes the positions of all states and arrows of a picture. The contents of each container are
 * laid out separately, inner containers first. This is possible because arrows never cross the
 * border of a state. The time is linear in the number of containers. `onProgress` is called with
 * the completed fraction, from 0 to 1.
 */
export async function layOut(
  { root, tools }: Picture,
  engine: LayoutEngine,
  direction: DrawingDirection = "down",
  onProgress: (done: number) => void = () => {},
): Promise<PlacedPicture> {
  const total = 1 + levelsIn(root.states) + levelsIn(tools)
  let done = 0
  const layout: Layout = { engine, direction, onLevel: () => onProgress(++done / total) }
  const parents = parentsOf([root, { states: tools, arrows: [] }])
  const level = await placeLevel(root, parents, layout)
  const beside = await Promise.all(tools.map((tool) => placeState(tool, parents, layout)))
  let y = 0
  const x = level.width + 2 * gap
  const placed: PlacedState[] = []
  for (const tool of beside) {
    placed.push({ ...tool, x, y })
    y += tool.height + gap
  }
  return {
    root: level,
    tools: placed,
    width: Math.max(level.width, ...placed.map((tool) => tool.x + tool.width)),
    height: Math.max(level.height, y - gap),
  }
}

/**
 * Returns the number of regions inside the given states, at any depth. Each region is laid out
 * separately.
 */
const levelsIn = (states: readonly PictureState[]): number =>
  states.reduce(
    (sum, { regions }) =>
      regions.reduce((inside, region) => inside + 1 + levelsIn(region.states), sum),
    0,
  )

interface Layout {
  readonly engine: LayoutEngine
  readonly direction: DrawingDirection
  /**
   * Called after each completed layout step. A step arranges the states of one region, or the
   * outermost states.
   */
  readonly onLevel: () => void
}

async function placeLevel(
  level: Level,
  parents: ReadonlyMap<string, string>,
  layout: Layout,
): Promise<PlacedLevel> {
  const states = await Promise.all(level.states.map((state) => placeState(state, parents, layout)))
  const arrows = levelArrows(level, parents)
  const placed = await layOutLevel(states, arrows, layout.engine, layout.direction)
  layout.onLevel()
  return placed
}

async function placeState(
  state: PictureState,
  parents: ReadonlyMap<string, string>,
  layout: Layout,
): Promise<WrittenState> {
  const levels = await Promise.all(
    state.regions.map((region) => placeLevel(region, parents, layout)),
  )
  return writeState(state, (top, minimum) => placeRegions(levels, top, minimum, layout.direction))
}

/** Preferred length of a row or column of parallel regions, in pixels. */
const sideBySide = 900

/**
 * Computes the positions of the regions inside a state, which are the branches of a parallel block
 * or the contents of a container. A single region fills the state. Several regions are arranged in
 * rows, each in its own frame. Returns null if there are no regions.
 */
function placeRegions(
  levels: readonly PlacedLevel[],
  top: number,
  minimum: number,
  direction: DrawingDirection,
): { readonly regions: readonly PlacedLevel[]; readonly size: Size } | null {
  const [only, ...others] = levels
  if (only === undefined) return null
  if (others.length === 0) {
    const width = Math.max(only.width, minimum)
    return {
      regions: [fill(only, { x: padding, y: top, width, height: only.height })],
      size: { width, height: only.height },
    }
  }
  const framed = levels.map((level) => ({
    width: level.width + 2 * padding,
    height: level.height + 2 * padding,
  }))
  if (direction === "right") {
    const { placed: lanes, size } = packBoxes(framed.map(transposeSize), padding, sideBySide)
    const height = size.width
    const width = Math.max(size.height, minimum)
    const regions = justify(lanes, height)
      .map(transposeBox)
      .map((box, index) => {
        const last = box.x + box.width >= size.height
        return fill(levels[index] ?? only, {
          ...box,
          x: box.x + padding,
          y: box.y + top,
          width: last ? width - box.x : box.width,
        })
      })
    return { regions, size: { width, height } }
  }
  const { placed, size } = packBoxes(framed, padding, Math.max(minimum, sideBySide))
  const width = Math.max(size.width, minimum)
  const regions = justify(placed, width).map((box, index) =>
    fill(levels[index] ?? only, { ...box, x: box.x + padding, y: box.y + top }),
  )
  return { regions, size: { width, height: size.height } }
}

/** Widens boxes that are arranged in rows, so that all rows have the same given width. */
function justify<T extends Size & { readonly x: number; readonly y: number }>(
  boxes: readonly T[],
  width: number,
): readonly T[] {
  const rows = new Map<number, T[]>()
  for (const box of boxes) {
    const row = rows.get(box.y)
    if (row === undefined) rows.set(box.y, [box])
    else row.push(box)
  }
  return [...rows.values()].flatMap((row) => {
    const last = row.at(-1)
    const share = last === undefined ? 0 : (width - last.x - last.width) / row.length
    return row.map((box, index) => ({ ...box, x: box.x + index * share, width: box.width + share }))
  })
}

/**
 * Moves a level (the states of one region) to a box, and enlarges it to the size of the box.
 * Centers the states and arrows in the box.
 */
function fill(
  level: PlacedLevel,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): PlacedLevel {
  const dx = Math.floor((box.width - level.width) / 2)
  const dy = Math.floor((box.height - level.height) / 2)
  const move = <T extends { readonly x: number; readonly y: number }>(what: T): T => ({
    ...what,
    x: what.x + dx,
    y: what.y + dy,
  })
  return {
    ...box,
    states: level.states.map(move),
    marks: level.marks.map(move),
    arrows: level.arrows.map(({ points, label, ...arrow }) => ({
      ...arrow,
      points: points.map(move),
      label: label === null ? null : move(label),
    })),
  }
}
