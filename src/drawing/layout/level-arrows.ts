import type { Arrow, Level } from "../picture/picture.js"

export interface LevelArrow extends Arrow {
  readonly both: boolean
}

/**
 * Returns a map from the id of each nested state to the id of its parent state. Outermost states
 * have no entry.
 */
export function parentsOf(levels: readonly Level[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  const visit = ({ states }: Level, parent: string | null): void => {
    for (const { id, regions } of states) {
      if (parent !== null) parents.set(id, parent)
      for (const region of regions) visit(region, id)
    }
  }
  for (const level of levels) visit(level, null)
  return parents
}

/**
 * Returns the arrows of a level, with both ends moved to direct children of this level. An arrow
 * from a nested state starts at the ancestor of this state. An arrow to a nested state ends at its
 * ancestor, and the id of the nested state is appended to the label, as in `fails → repair`. Arrows
 * between the same two states are merged.
 */
export function levelArrows(
  { states, arrows }: Level,
  parents: ReadonlyMap<string, string>,
): readonly LevelArrow[] {
  const stateIds = new Set(states.map(({ id }) => id))
  const lift = (id: string): string | null => {
    let ancestor: string | undefined = id
    while (ancestor !== undefined && !stateIds.has(ancestor)) ancestor = parents.get(ancestor)
    return ancestor ?? null
  }
  const merged = new Map<string, Arrow>()
  for (const arrow of arrows) {
    const from = arrow.from === null ? null : lift(arrow.from)
    const to = arrow.to === null ? null : lift(arrow.to)
    // If the state at one end of the arrow is inside a folded state, the arrow is not drawn.
    if ((arrow.from !== null && from === null) || (arrow.to !== null && to === null)) continue
    const labels =
      to === arrow.to
        ? arrow.labels
        : (arrow.labels.length === 0 ? [""] : arrow.labels).map((label) =>
            `${label} → ${arrow.to}`.trim(),
          )
    const key = JSON.stringify([from, to])
    const known = merged.get(key)
    const { kind } = arrow
    const isSame = kind !== undefined && (known === undefined || known.kind === kind)
    merged.set(key, {
      ...(isSame && { kind }),
      from,
      to,
      labels: known === undefined ? labels : [...new Set([...known.labels, ...labels])],
    })
  }
  return joinPairs(merged)
}

/** Replaces each pair of opposite arrows that have the same labels by one arrow with two heads. */
function joinPairs(arrows: ReadonlyMap<string, Arrow>): readonly LevelArrow[] {
  const joined = new Set<Arrow>()
  return [...arrows.values()].flatMap((arrow): LevelArrow[] => {
    if (joined.has(arrow)) return []
    const back =
      arrow.from === arrow.to ? undefined : arrows.get(JSON.stringify([arrow.to, arrow.from]))
    const both =
      back !== undefined &&
      arrow.labels.length > 0 &&
      arrow.labels.join("\n") === back.labels.join("\n")
    if (both) joined.add(back)
    return [{ ...arrow, both }]
  })
}
