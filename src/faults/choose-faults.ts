import type { FaultKind } from "./contract/fault.js"
import type { PossibleFault } from "./run/places.js"

type FaultsByKind = readonly (readonly [FaultKind, readonly PossibleFault[]])[]

/**
 * Chooses at most `most` of the possible faults. If there are more, each kind gets a proportional
 * share, and its faults are spread evenly over the run. `index` selects a single fault of each
 * kind.
 */
export function chooseFaults(
  possible: FaultsByKind,
  index: number | null,
  most: number,
): readonly PossibleFault[] {
  if (index !== null) return possible.flatMap(([, faults]) => faults.slice(index, index + 1))
  const total = possible.reduce((sum, [, faults]) => sum + faults.length, 0)
  if (total <= most) return possible.flatMap(([, faults]) => faults)
  return possible.flatMap(([, faults]) => {
    const share = Math.floor((faults.length * most) / total)
    return spread(faults, faults.length === 0 ? 0 : Math.max(1, share))
  })
}

/** Returns `count` items that are spread evenly over a list. */
const spread = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.filter(
    (_, index) =>
      Math.floor((index * count) / items.length) !==
      Math.floor(((index - 1) * count) / items.length),
  )
