import type { PlacedArrow, Point } from "./geometry.js"
import type { Jump, SpineArrow } from "./spine.js"

/**
 * Vertical distance in pixels between a state and the horizontal line above it. Arrows that skip
 * states or lead back arrive at the state from this line.
 */
export const arrivalGap = 12

/** Distance between the parallel lines of two arrows that skip states or lead back, in pixels. */
export const laneGap = 14

/** Distance between an arrow and its label, in pixels. */
export const labelGap = 6

/**
 * The vertical position of a state or mark in a column of states, in pixels. `bottom` is the lower
 * edge of the state and of the tools next to it.
 */
export interface SpineRow {
  readonly top: number
  readonly height: number
  readonly bottom: number
  /** Upper edge of the label on the arrow from the previous state to this state. */
  readonly labelTop: number
}

export const emptyRow: SpineRow = { top: 0, height: 0, bottom: 0, labelTop: 0 }

export interface PlacedJump {
  readonly jump: Jump
  /**
   * Points of the arrow's line. Their x coordinates are relative to the center of the column of
   * states.
   */
  readonly points: readonly Point[]
  readonly label: PlacedArrow["label"]
}

/**
 * Arrows that skip states or lead back (jumps) to the same target. They share one vertical line.
 */
interface JumpGroup {
  readonly jumps: readonly Jump[]
  readonly top: number
  readonly bottom: number
}

/**
 * A vertical line next to the column of states, which several groups of arrows can share. Each
 * group uses a different vertical range of the line. The arrows skip states or lead back. `width`
 * is the width of the line with its labels.
 */
interface JumpLane {
  readonly groups: JumpGroup[]
  width: number
}

/**
 * Computes the lines of all jumps on one side of a column of states. A jump is an arrow that skips
 * states of the column or leads back to an earlier state. Shorter lines are closer to the column.
 * `side` is 1 for the right side and -1 for the left side.
 */
export function placeLanes(
  jumps: readonly Jump[],
  rows: readonly SpineRow[],
  inner: number,
  side: 1 | -1,
): { readonly lanes: readonly PlacedJump[]; readonly extent: number } {
  const lanes: JumpLane[] = []
  for (const group of groupsOf(jumps, rows, side)) {
    const isFree = ({ groups }: JumpLane): boolean =>
      groups.every(
        ({ top, bottom }) => bottom + laneGap <= group.top || group.bottom + laneGap <= top,
      )
    // A line must be farther from the spine than all shorter lines at the same height.
    const taken = lanes.findLastIndex((each) => !isFree(each))
    const free = lanes[taken + 1]
    const width = Math.max(1, ...group.jumps.map(({ arrow }) => labelWidth(arrow)))
    if (free === undefined) lanes.push({ groups: [group], width })
    else {
      free.groups.push(group)
      free.width = Math.max(free.width, width)
    }
  }
  let extent = inner
  const placed = lanes.flatMap(({ groups, width }) => {
    const x = extent + laneGap
    extent = x + width
    return groups.flatMap((group) => placeGroup(group, rows, x, side))
  })
  return { lanes: placed, extent }
}

const labelWidth = ({ text, room }: SpineArrow): number =>
  text === null ? 0 : labelGap + room.width

function groupsOf(
  jumps: readonly Jump[],
  rows: readonly SpineRow[],
  side: 1 | -1,
): readonly JumpGroup[] {
  const byTarget = new Map<number, Jump[]>()
  for (const jump of jumps) byTarget.set(jump.to, [...(byTarget.get(jump.to) ?? []), jump])
  return [...byTarget.values()]
    .map((group): JumpGroup => {
      const ends = group.flatMap((jump) => [joinOf(jump, rows), departureOf(jump, rows, side).y])
      return {
        jumps: group.toSorted((one, other) => one.from - other.from),
        top: Math.min(...ends),
        bottom: Math.max(...ends),
      }
    })
    .toSorted((one, other) => one.bottom - one.top - (other.bottom - other.top))
}

const joinOf = ({ to }: Jump, rows: readonly SpineRow[]): number =>
  (rows[to] ?? emptyRow).top - arrivalGap

/**
 * Returns the y coordinate at which a jump (an arrow that skips states or leads back) leaves its
 * source state. `isLow` is true if the jump must run below the tools next to this state. Otherwise,
 * the jump leaves at the middle of the state's height.
 */
function departureOf(
  { from }: Jump,
  rows: readonly SpineRow[],
  side: 1 | -1,
): { readonly y: number; readonly isLow: boolean } {
  const { top, height, bottom } = rows[from] ?? emptyRow
  const isLow = side === 1 && bottom > top + height
  return { y: isLow ? bottom + laneGap / 2 : top + height / 2, isLow }
}

function placeGroup(
  { jumps }: JumpGroup,
  rows: readonly SpineRow[],
  x: number,
  side: 1 | -1,
): readonly PlacedJump[] {
  let free = -Infinity
  return jumps.map((jump) => {
    const [source, target] = [rows[jump.from] ?? emptyRow, rows[jump.to] ?? emptyRow]
    const { y, isLow } = departureOf(jump, rows, side)
    const join = joinOf(jump, rows)
    const { text, room } = jump.arrow
    // The label is beside the line, on the way to the target.
    const wanted = join > y ? y + 4 : Math.max(join + 4, (y + join - room.height) / 2)
    const top = Math.max(wanted, free)
    if (text !== null) free = top + room.height + 2
    const start: readonly Point[] = isLow
      ? [
          { x: laneGap, y: source.top + source.height },
          { x: laneGap, y },
        ]
      : [{ x: side * jump.half, y }]
    return {
      jump,
      points: [
        ...start,
        { x: side * x, y },
        { x: side * x, y: join },
        { x: 0, y: join },
        { x: 0, y: target.top },
      ],
      label:
        text === null
          ? null
          : { text, ...room, x: side === 1 ? x + labelGap : -x - labelGap - room.width, y: top },
    }
  })
}
