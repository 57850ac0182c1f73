import type { PlacedMark } from "./geometry.js"
import { measures } from "./measures.js"

const { mark } = measures

/**
 * Returns the start mark (a dot) or end mark (a ring) of a level. `center` is the x coordinate of
 * its center, and `y` is its top.
 */
export const markAt = (kind: PlacedMark["mark"], center: number, y: number): PlacedMark => ({
  mark: kind,
  x: center - mark / 2,
  y,
  width: mark,
  height: mark,
})
